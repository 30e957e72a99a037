import type { Address, Hex } from '../api/primitives';
import type { RpcCall } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import { nativeClaims, type BalanceClaim, type CheckedClaim } from './balance-claims';
import type { NetChange } from './net-changes';
import { gasFee } from './gas-fee';
import type { ExecutionState, StateOverride } from './execution-state';
import type { MinedTransaction, Network } from './ports';

/** Claims that are checked of one transaction. */
const MAX_TOKEN_CLAIMS = 200;
/** A token's own code runs in these calls. */
const CALL_GAS = toQuantity(2_000_000n);
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
/** Where rollups of the OP stack collect fees. */
const OP_VAULT = /^0x42000000000000000000000000000000000000[0-9a-f]{2}$/;
/** Code that returns 1 whatever it is asked; at an address that holds none. */
const ONE = { address: `0x${'f0'.repeat(20)}`, code: '0x600160005260206000f3' } as const;

/** Compares native nets with the state's difference less fees: the sender paid them, the block's fee recipient got a part. */
export function checkNative(
  nets: readonly NetChange[],
  { native }: ExecutionState,
  mined: MinedTransaction,
): CheckedClaim[] {
  const { payer, paid, recipient, received, execution } = gasFee(mined);
  return nativeClaims(nets, native.keys()).flatMap((claim) => {
    const { account, amount } = claim;
    let measured = native.get(account) ?? 0n;
    if (account === payer) measured += paid;
    if (account === recipient) {
      // Rules differ on what of the fee reaches it: a private chain may pay nothing, or all.
      const shares = [received, 0n, execution];
      measured -= shares.find((share) => measured - share === amount) ?? received;
    }
    return OP_VAULT.test(account) && amount === 0n ? [] : [{ ...claim, measured }];
  });
}

/**
 * Asks each token for its balances in front of the transaction and behind it: calls in the transaction's own block with the state
 * that it found, then with the state that it left.
 * @returns the claims that could be checked; none where the node takes no state with a call
 * @throws what the network's node fails with
 */
export async function checkTokens(
  claims: readonly BalanceClaim[],
  { before, after }: ExecutionState,
  network: Network,
  block: Hex,
  signal: AbortSignal,
): Promise<CheckedClaim[]> {
  const asked = claims.slice(0, MAX_TOKEN_CLAIMS);
  if (asked.length === 0) return [];
  const calls = asked.flatMap((claim) =>
    [before, after].map((state) => balanceCall(claim, block, only(state, claim.asset))),
  );
  const [honoured, ...outcomes] = await network.rpc.requestAll([probe(block), ...calls], {
    signal,
  });
  if (wordOf(honoured) !== 1n) return [];
  return asked.flatMap((claim, index) => {
    const [had, has] = outcomes.slice(index * 2).map(wordOf);
    if (had === undefined || has === undefined) return [];
    const measured = has - had;
    // WETH9's events count as moving its own tokens, which it does not hold.
    const bookkeeping = claim.account === claim.asset && measured === 0n;
    return bookkeeping ? [] : [{ ...claim, measured }];
  });
}

/** Not native balances: a node may refuse to take more than there is of the currency. */
const only = (state: StateOverride, token: Address): StateOverride =>
  Object.fromEntries(
    Object.entries(state).flatMap(([address, { code, stateDiff }]) =>
      (stateDiff ?? code) === undefined && address !== token
        ? []
        : [
            [
              address,
              {
                ...(code === undefined ? {} : { code }),
                ...(stateDiff === undefined ? {} : { stateDiff }),
              },
            ],
          ],
    ),
  );

const balanceCall = (
  { account, asset }: BalanceClaim,
  block: Hex,
  state: StateOverride,
): RpcCall => ({
  method: 'eth_call',
  params: [
    { to: asset, data: `${BALANCE_OF}${account.slice(2).padStart(64, '0')}`, gas: CALL_GAS },
    block,
    state,
  ],
});

/** Some nodes ignore the third parameter. */
const probe = (block: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to: ONE.address, gas: CALL_GAS }, block, { [ONE.address]: { code: ONE.code } }],
});

function wordOf(outcome: PromiseSettledResult<unknown> | undefined): bigint | undefined {
  if (outcome?.status !== 'fulfilled' || typeof outcome.value !== 'string') return undefined;
  return /^0x[0-9a-f]{64}$/i.test(outcome.value) ? BigInt(outcome.value) : undefined;
}
