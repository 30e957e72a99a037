import { NATIVE_ASSET } from '../api/native-asset';
import type { Address } from '../api/primitives';
import { executionSteps, type CallFrame } from './call-frame';
import type { NetChange } from './net-changes';
import type { Transfer } from './transfers';

/** A balance that may have changed, and what the trace says of it. */
export interface BalanceClaim {
  readonly account: Address;
  /** `NATIVE_ASSET` or an ERC-20 token. */
  readonly asset: Address;
  /** Net of the transfers; 0 where they cancel out or there are none. */
  readonly amount: bigint;
}

/** A claim beside the state before and after the transaction. */
export interface CheckedClaim extends BalanceClaim {
  readonly measured: bigint;
}

export const claimKey = (account: Address, asset: Address): string => `${account} ${asset}`;

const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;
/** transfer(address,uint256): 4 bytes, then the recipient; transferFrom(address,address,uint256): the payer in front. */
const TRANSFER = '0xa9059cbb';
const TRANSFER_FROM = '0x23b872dd';

/** ERC-20 balances that the logs tell of, and those that calls of `transfer` and `transferFrom` may have changed without a log. */
export function tokenClaims(
  root: CallFrame,
  transfers: readonly Transfer[],
  nets: readonly NetChange[],
): BalanceClaim[] {
  const claims = new Map<string, BalanceClaim>();
  const add = (asset: Address, account: Address | undefined): void => {
    if (account === undefined || account === ZERO_ADDRESS) return;
    const key = claimKey(account, asset);
    if (!claims.has(key)) claims.set(key, { account, asset, amount: 0n });
  };
  for (const { standard, asset, from, to } of transfers) {
    if (standard !== 'erc20') continue;
    add(asset, from);
    add(asset, to);
  }
  const notCounted = new Set(
    transfers.filter(({ standard }) => standard.startsWith('erc')).map(({ asset }) => asset),
  );
  for (const { frame, log, reverted } of executionSteps(root)) {
    if (log !== undefined || reverted || frame.type !== 'CALL' || frame.to === null) continue;
    if (notCounted.has(frame.to)) continue; // it tells of its transfers
    for (const account of partiesOf(frame)) add(frame.to, account);
  }
  for (const { standard, asset, account, amount } of nets) {
    const claim = claims.get(claimKey(account, asset));
    if (claim && standard === 'erc20') claims.set(claimKey(account, asset), { ...claim, amount });
  }
  return [...claims.values()];
}

function partiesOf({ input, from }: CallFrame): Address[] {
  const words = [34, 98].map((start): Address => `0x${input.slice(start, start + 40)}`);
  if (input.startsWith(TRANSFER) && input.length === 138) return [from, ...words.slice(0, 1)];
  return input.startsWith(TRANSFER_FROM) && input.length === 202 ? words : [];
}

/** Every native balance that changed or should have. */
export function nativeClaims(
  nets: readonly NetChange[],
  changed: Iterable<Address>,
): BalanceClaim[] {
  const amounts = new Map<Address, bigint>(Array.from(changed, (account) => [account, 0n]));
  for (const { asset, account, amount } of nets) {
    if (asset === NATIVE_ASSET) amounts.set(account, amount);
  }
  return Array.from(amounts, ([account, amount]) => ({ account, asset: NATIVE_ASSET, amount }));
}
