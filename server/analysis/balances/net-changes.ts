import type { Address } from '../../api/primitives';
import { atOnce, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { TokenStandard, Transfer } from '../transfers/transfer';

/** Net gain (positive) or loss of an account in one asset. */
export interface NetChange {
  readonly account: Address;
  readonly asset: Address;
  readonly standard: TokenStandard;
  readonly tokenId?: bigint;
  readonly amount: bigint;
}

type Net = { -readonly [Field in keyof NetChange]: NetChange[Field] };

/** Nets by account, asset and token id. Nets of zero are omitted. */
export const netChanges = (transfers: readonly Transfer[]): NetChange[] =>
  atOnce(netChangesWork(transfers));

/** The same as interruptible work. */
export function* netChangesWork(transfers: readonly Transfer[]): Work<NetChange[]> {
  const nets: Net[] = [];
  const byAccount = new Map<Address, Map<string, Net>>();
  const add = (account: Address | undefined, transfer: Transfer, amount: bigint): void => {
    if (account === undefined) return;
    const { asset, standard, tokenId } = transfer;
    let own = byAccount.get(account);
    if (!own) byAccount.set(account, (own = new Map<string, Net>()));
    const key = keyOf(transfer);
    const known = own.get(key);
    if (known) {
      known.amount += amount;
      return;
    }
    const id = tokenId === undefined ? {} : { tokenId };
    const net = { account, asset, standard, ...id, amount };
    own.set(key, net);
    nets.push(net);
  };
  for (const [index, transfer] of transfers.entries()) {
    add(transfer.from, transfer, -transfer.amount);
    add(transfer.to, transfer, transfer.amount);
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return nets.filter(({ amount }) => amount !== 0n);
}

/** Texts that exist already where that is possible: a new one for each transfer takes longer than all else here. */
function keyOf({ asset, standard, tokenId }: Transfer): string {
  if (standard === 'erc20') return asset;
  return standard === 'native' ? standard : `${asset} ${standard} ${tokenId ?? ''}`;
}

/** Assets that may have a price: those without token ids. */
export const pricedAssets = (nets: readonly NetChange[]): Address[] => [
  ...new Set(nets.filter((net) => net.tokenId === undefined).map((net) => net.asset)),
];
