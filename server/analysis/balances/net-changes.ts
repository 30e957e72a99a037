import type { Address } from '../../api/primitives';
import { atOnce, type Work } from '../../async/slices';
import type { TokenStandard, Transfer } from '../transfers/transfer';

/** Net gain (positive) or loss of an account in one asset. */
export interface NetChange {
  readonly account: Address;
  readonly asset: Address;
  readonly standard: TokenStandard;
  readonly tokenId?: bigint;
  readonly amount: bigint;
}

/** Nets by account, asset and token id. Nets of zero are omitted. */
export const netChanges = (transfers: readonly Transfer[]): NetChange[] =>
  atOnce(netChangesWork(transfers));

/** The same as interruptible work. */
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

/** Assets that may have a price: those without token ids. */
export const pricedAssets = (nets: readonly NetChange[]): Address[] => [
  ...new Set(nets.filter((net) => net.tokenId === undefined).map((net) => net.asset)),
];
