import type { Address, Hex } from '../../api/primitives';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { nativeClaims, type BalanceClaim, type CheckedClaim } from './claims';
import type { NetChange } from './net-changes';
import { gasFee } from '../gas/fee';
import type { ExecutionState, StateOverride } from '../execution-state';
import type { MinedTransaction, Network } from '../ports';

/** Limit of the token claims that are checked per transaction. */
const MAX_TOKEN_CLAIMS = 200;
/** These calls run the token's own code. */
const CALL_GAS = toQuantity(2_000_000n);
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
const BALANCE_OF_ID = '0x00fdd58e'; // balanceOf(address,uint256)
const OWNER_OF = '0x6352211e'; // ownerOf(uint256)
const TOTAL_SUPPLY: Hex = '0x18160ddd'; // totalSupply()
/** Code that always returns 1, at an address without code. */
const ONE = { address: `0x${'f0'.repeat(20)}`, code: '0x600160005260206000f3' } as const;

/** Addresses at which chains that were built on the OP Stack collect fees. */
const OP_VAULT = /^0x42000000000000000000000000000000000000[0-9a-f]{2}$/;

/** Compares native nets with the changes of the state without fees: the sender paid them, and others received parts. */
export function checkNative(
  nets: readonly NetChange[],
  { native }: ExecutionState,
  mined: MinedTransaction,
): CheckedClaim[] {
  const { payer, paid, recipient, received, others, execution } = gasFee(mined);
  return nativeClaims(nets, native.keys()).flatMap((claim) => {
    const { account, amount } = claim;
    let measured = native.get(account) ?? 0n;
    if (account === payer) measured += paid;
    for (const share of others) if (share.recipient === account) measured -= share.received;
    if (account === recipient) {
      // Rules differ on the recipient's share of the fee: on a private chain it may be nothing, or all.
      const shares = [received, 0n, execution];
      measured -= shares.find((share) => measured - share === amount) ?? received;
    } else if (account !== payer && measured !== amount) {
      // Chains may credit the base fee, the tip or both to accounts of their own, such as a collector.
      const shares = [execution - received, received, execution];
      measured -= shares.find((share) => share > 0n && measured - share === amount) ?? 0n;
    }
    // Where the shares are not known, a vault that only received is not compared.
    const isOpen = others.length === 0 && amount === 0n && OP_VAULT.test(account);
    return isOpen ? [] : [{ ...claim, measured }];
  });
}

interface CheckedTokens {
  readonly checked: CheckedClaim[];
  /** Number of claims that could not be checked. */
  readonly unanswered: number;
  /** Change of `totalSupply`. Tokens that do not answer are omitted. */
  readonly supplies: ReadonlyMap<Address, bigint>;
}

/**
 * Reads the balances, owners and supply of each token before and after the transaction: by calls in the transaction's own block, with
 * the state before it and then with the state after it.
 * @param supplies tokens whose supply is read
 * @returns the claims that could be checked; none if the node ignores state overrides in calls
 * @throws an error of the network's node
 */
export async function checkTokens(
  claims: readonly BalanceClaim[],
  supplies: readonly Address[],
  { state, network, block }: { state: ExecutionState; network: Network; block: Hex },
  signal: AbortSignal,
): Promise<CheckedTokens> {
  const asked = claims.slice(0, MAX_TOKEN_CLAIMS);
  const none = { checked: [], unanswered: claims.length, supplies: new Map<Address, bigint>() };
  if (asked.length === 0) return none;
  const sides = [state.before, state.after];
  const questions = [
    ...asked.map((claim) => ({ asset: claim.asset, data: questionOf(claim) })),
    ...supplies.map((asset) => ({ asset, data: TOTAL_SUPPLY })),
  ];
  const calls = questions.flatMap(({ asset, data }) =>
    sides.map((side) => callOf(asset, data, block, only(side, asset))),
  );
  const [honoured, ...outcomes] = await network.rpc.requestAll([probe(block), ...calls], {
    signal,
  });
  if (wordOf(honoured) !== 1n) return none;
  const answers = (index: number): Outcome[] => outcomes.slice(index * 2, index * 2 + 2);
  const measured = asked.map((claim, index) => measure(claim, answers(index)));
  const isRecorded = (claim: BalanceClaim, index: number): boolean =>
    claim.account === claim.asset && claim.standard === 'erc20' && measured[index] === 0n;
  return {
    // WETH9's events are counted as transfers of its own tokens, but the contract does not hold these.
    checked: asked.flatMap((claim, index) => {
      const change = measured[index];
      return change === undefined || isRecorded(claim, index)
        ? []
        : [{ ...claim, measured: change }];
    }),
    unanswered: claims.length - measured.filter((change) => change !== undefined).length,
    supplies: new Map(
      supplies.flatMap((asset, index) => {
        const change = difference(answers(asked.length + index));
        return change === undefined ? [] : [[asset, change] as const];
      }),
    ),
  };
}

/** A read-only call. */
export interface StateQuestion {
  readonly to: Address;
  readonly data: Hex;
}

/**
 * Asks in the state after the transaction.
 * @returns first words of the answers; undefined for a question without an answer, and for all if the node ignores state overrides
 * @throws an error of the network's node
 */
export async function readAfter(
  questions: readonly StateQuestion[],
  { state, network, block }: { state: ExecutionState; network: Network; block: Hex },
  signal: AbortSignal,
): Promise<(bigint | undefined)[]> {
  if (questions.length === 0) return [];
  const calls = questions.map(({ to, data }) => callOf(to, data, block, only(state.after, to)));
  const [honoured, ...outcomes] = await network.rpc.requestAll([probe(block), ...calls], {
    signal,
  });
  const isHonoured = wordOf(honoured) === 1n;
  return questions.map((_, index) => (isHonoured ? firstWordOf(outcomes[index]) : undefined));
}

type Outcome = PromiseSettledResult<unknown> | undefined;

/** Change of a balance; undefined if the token does not answer. */
function measure(claim: BalanceClaim, [before, after]: Outcome[]): bigint | undefined {
  const { standard, account } = claim;
  if (standard === 'erc721') {
    const [had, has] = [before, after].map((outcome) => ownerIn(outcome));
    if (had === undefined || has === undefined || (had === null && has === null)) return undefined;
    return BigInt(Number(has === account) - Number(had === account));
  }
  return difference([before, after]);
}

function difference([before, after]: Outcome[]): bigint | undefined {
  const [had, has] = [wordOf(before), wordOf(after)];
  return had === undefined || has === undefined ? undefined : has - had;
}

/** Null for a token without an owner: most contracts revert in that case. */
function ownerIn(outcome: Outcome): Address | null | undefined {
  if (outcome?.status === 'rejected') {
    const { reason } = outcome as { reason: unknown };
    return reason instanceof RpcError && /revert|invalid opcode/i.test(reason.message)
      ? null
      : undefined;
  }
  const owner = wordOf(outcome);
  if (owner === undefined) return undefined;
  return owner === 0n ? null : `0x${owner.toString(16).padStart(40, '0')}`;
}

/** Omits native balances: a node may reject an override above the total supply of its currency. */
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

function questionOf({ standard, account, tokenId = 0n }: BalanceClaim): Hex {
  const id = toWord(tokenId).slice(2);
  const holder = account.slice(2).padStart(64, '0');
  if (standard === 'erc721') return `${OWNER_OF}${id}`;
  return standard === 'erc1155' ? `${BALANCE_OF_ID}${holder}${id}` : `${BALANCE_OF}${holder}`;
}

const callOf = (asset: Address, data: Hex, block: Hex, state: StateOverride): RpcCall => ({
  method: 'eth_call',
  params: [{ to: asset, data, gas: CALL_GAS }, block, state],
});

/** Some nodes ignore the third parameter. */
const probe = (block: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to: ONE.address, gas: CALL_GAS }, block, { [ONE.address]: { code: ONE.code } }],
});

function wordOf(outcome: Outcome): bigint | undefined {
  if (outcome?.status !== 'fulfilled' || typeof outcome.value !== 'string') return undefined;
  return /^0x[0-9a-f]{64}$/i.test(outcome.value) ? BigInt(outcome.value) : undefined;
}

function firstWordOf(outcome: Outcome): bigint | undefined {
  if (outcome?.status !== 'fulfilled' || typeof outcome.value !== 'string') return undefined;
  const [word] = /^0x[0-9a-f]{64}/i.exec(outcome.value) ?? [];
  return word === undefined ? undefined : BigInt(word);
}
