import type { Address } from '../api/primitives';
import { atOnce, type Work } from '../ethereum/slices';
import type { TokenStandard, Transfer } from './transfers';

/** What an account gained (positive) or lost of one asset. */
export interface NetChange {
  readonly account: Address;
  readonly asset: Address;
  readonly standard: TokenStandard;
  readonly tokenId?: bigint;
  readonly amount: bigint;
}

/** Nets per account and asset, and token id where there is one; those of zero are left out. */
export const netChanges = (transfers: readonly Transfer[]): NetChange[] =>
  atOnce(netChangesWork(transfers));

/** The same as work that can be interrupted. */
export function* netChangesWork(transfers: readonly Transfer[]): Work<NetChange[]> {
  const nets = new Map<string, { -readonly [Field in keyof NetChange]: NetChange[Field] }>();
  const add = (account: Address | undefined, transfer: Transfer, amount: bigint): void => {
    if (account === undefined) return;
    const { asset, standard, tokenId } = transfer;
    const key = `${account} ${asset} ${standard} ${tokenId ?? ''}`;
    const net = nets.get(key);
    if (net) net.amount += amount;
    else
      nets.set(key, {
        account,
        asset,
        standard,
        ...(tokenId === undefined ? {} : { tokenId }),
        amount,
      });
  };
  for (const transfer of transfers) {
    add(transfer.from, transfer, -transfer.amount);
    add(transfer.to, transfer, transfer.amount);
    yield 1;
  }
  return [...nets.values()].filter(({ amount }) => amount !== 0n);
}

/** Assets that may have a price: those that are counted rather than told apart by ids. */
export const pricedAssets = (nets: readonly NetChange[]): Address[] => [
  ...new Set(nets.filter((net) => net.tokenId === undefined).map((net) => net.asset)),
];
