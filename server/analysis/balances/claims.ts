import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { executionSteps, type CallFrame } from '../call-frame';
import type { NetChange } from './net-changes';
import type { TokenStandard, Transfer } from '../transfers/transfer';

/** A balance that may have changed, with its net change according to the trace. */
export interface BalanceClaim {
  readonly account: Address;
  /** `NATIVE_ASSET` or a token. */
  readonly asset: Address;
  readonly standard: TokenStandard;
  /** Set for ERC-721 and ERC-1155. */
  readonly tokenId?: bigint;
  /** Net of the transfers; 0 if they cancel out or there are none. */
  readonly amount: bigint;
}

/** A claim with the change measured between the state before and the state after the transaction. */
export interface CheckedClaim extends BalanceClaim {
  readonly measured: bigint;
}

export const claimKey = ({
  account,
  asset,
  tokenId,
}: Pick<BalanceClaim, 'account' | 'asset' | 'tokenId'>): string =>
  `${account} ${asset} ${tokenId ?? ''}`;

export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;
/** transfer(address,uint256): 4 bytes, then the recipient; transferFrom(address,address,uint256): 4 bytes, the payer, the recipient. */
const TRANSFER = '0xa9059cbb';
const TRANSFER_FROM = '0x23b872dd';

/** Balances that logs report, and balances that calls of `transfer` and `transferFrom` may have changed without a log. */
export function* tokenClaimsWork(
  root: CallFrame,
  transfers: readonly Transfer[],
  nets: readonly NetChange[],
): Work<BalanceClaim[]> {
  const claims = new Map<string, BalanceClaim>();
  const add = (claim: Omit<BalanceClaim, 'amount' | 'account'>, account?: Address): void => {
    if (account === undefined || account === ZERO_ADDRESS) return;
    const one = { ...claim, account, amount: 0n };
    const key = claimKey(one);
    if (!claims.has(key)) claims.set(key, one);
  };
  const reportingAssets = new Set<Address>();
  for (const [index, { standard, asset, tokenId, from, to }] of transfers.entries()) {
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    reportingAssets.add(asset);
    if (standard === 'native') continue;
    const claim = { standard, asset, ...(tokenId === undefined ? {} : { tokenId }) };
    add(claim, from);
    add(claim, to);
  }
  for (const { id, frame, log, reverted } of executionSteps(root)) {
    if (id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (log !== undefined || reverted || frame.type !== 'CALL' || frame.to === null) continue;
    if (reportingAssets.has(frame.to)) continue;
    for (const account of partiesOf(frame)) add({ asset: frame.to, standard: 'erc20' }, account);
  }
  for (const [index, net] of nets.entries()) {
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const key = claimKey(net);
    const claim = claims.get(key);
    if (claim?.standard === net.standard) claims.set(key, { ...claim, amount: net.amount });
  }
  return [...claims.values()];
}

/** Limits of the balances that are asked about without a reason in the trace. */
const MAX_QUIET = 24;
const MAX_WORDS = 8;
/** Code that compares the selector of a call with those of `balanceOf(address)` and `transfer(address,uint256)`. */
const TOKEN_CODE = ['6370a08231', '63a9059cbb'];

/**
 * Balances that may have changed without an event: of the caller and of the accounts that the arguments name, in called tokens that
 * changed their storage and report no transfer.
 * @param known claims that there are already
 */
export function* quietClaimsWork(
  root: CallFrame,
  known: readonly BalanceClaim[],
  { codeOf, isChanged }: QuietFacts,
): Work<BalanceClaim[]> {
  const reporting = new Set(known.map(({ asset }) => asset));
  const found = new Map<string, BalanceClaim>();
  for (const { id, frame, log, reverted } of executionSteps(root)) {
    if (id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const { to: asset, type } = frame;
    if (log !== undefined || reverted || type !== 'CALL' || asset === null) continue;
    const code = reporting.has(asset) || !isChanged(asset) ? undefined : codeOf(asset);
    if (code === undefined || !TOKEN_CODE.every((part) => code.includes(part))) continue;
    for (const account of [frame.from, ...accountsIn(frame)]) {
      if (account === asset || account === ZERO_ADDRESS) continue;
      const claim = { account, asset, standard: 'erc20', amount: 0n } as const;
      found.set(claimKey(claim), claim);
      if (found.size === MAX_QUIET) return [...found.values()];
    }
  }
  return [...found.values()];
}

interface QuietFacts {
  readonly codeOf: (contract: Address) => string | undefined;
  /** Whether a slot of the contract changed. */
  readonly isChanged: (contract: Address) => boolean;
}

/** Words of the arguments that may be addresses. */
const accountsIn = ({ input }: CallFrame): Address[] =>
  Array.from(input.slice(10, 10 + MAX_WORDS * 64).matchAll(/.{64}/g), ([word]) => word).flatMap(
    (word): Address[] =>
      word.startsWith('0'.repeat(24)) && !word.startsWith('0'.repeat(32))
        ? [`0x${word.slice(24)}`]
        : [],
  );

function partiesOf({ input, from }: CallFrame): Address[] {
  const words = [34, 98].map((start): Address => `0x${input.slice(start, start + 40)}`);
  if (input.startsWith(TRANSFER) && input.length === 138) return [from, ...words.slice(0, 1)];
  return input.startsWith(TRANSFER_FROM) && input.length === 202 ? words : [];
}

/** Every native balance that changed or should have changed. */
export function nativeClaims(
  nets: readonly NetChange[],
  changed: Iterable<Address>,
): BalanceClaim[] {
  const amounts = new Map<Address, bigint>(Array.from(changed, (account) => [account, 0n]));
  for (const { asset, account, amount } of nets) {
    if (asset === NATIVE_ASSET) amounts.set(account, amount);
  }
  return Array.from(amounts, ([account, amount]) => ({
    account,
    asset: NATIVE_ASSET,
    standard: 'native',
    amount,
  }));
}
