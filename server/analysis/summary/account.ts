import type { Address } from '../../api/primitives';
import { ZERO_ADDRESS } from '../balances/claims';
import type { PlacedTransfer } from '../transfers/collect';
import { assetKey, increased, quantityOf, type Quantity } from './quantity';

/** What an account gave and got on balance. */
export interface Balance {
  readonly gave: readonly Quantity[];
  readonly got: readonly Quantity[];
}

/** The transfers of one account. A clause takes the transfers that bear it out, so that no transfer is told twice. */
export class Account {
  /** Made once: each clause looks through all that is left. */
  readonly #left: Map<PlacedTransfer, Move>;
  /** Of the transfers that are left; undefined until they are asked for. */
  #net: Balance | undefined;
  #losses: ReadonlyMap<Address, bigint> | undefined;

  constructor(
    readonly address: Address,
    transfers: readonly PlacedTransfer[],
  ) {
    this.#left = new Map();
    for (const placed of transfers) {
      const { from, to } = placed.transfer;
      const isToItself = from === address && to === address;
      if (isToItself || (from !== address && to !== address)) continue;
      this.#left.set(placed, moveOf(placed, address));
    }
  }

  /** The first transfer that fits and is not taken. */
  find(fits: (transfer: Move, placed: PlacedTransfer) => boolean): PlacedTransfer | undefined {
    for (const [placed, move] of this.#left) if (fits(move, placed)) return placed;
    return undefined;
  }

  all(fits: (transfer: Move, placed: PlacedTransfer) => boolean): PlacedTransfer[] {
    const found: PlacedTransfer[] = [];
    for (const [placed, move] of this.#left) if (fits(move, placed)) found.push(placed);
    return found;
  }

  /** All transfers that are left, for work that pauses between them. */
  left(): Iterable<[PlacedTransfer, Move]> {
    return this.#left;
  }

  take(transfers: readonly PlacedTransfer[]): void {
    if (transfers.length === 0) return;
    for (const one of transfers) this.#left.delete(one);
    this.#net = this.#losses = undefined;
  }

  /** Takes everything that is left. */
  takeRest(): PlacedTransfer[] {
    const rest = [...this.#left.keys()];
    this.#left.clear();
    this.#net = this.#losses = undefined;
    return rest;
  }

  /** Net of the transfers that are left. */
  rest(): Balance {
    return (this.#net ??= netOf(this.#left.keys(), this.address));
  }

  /** What the account lost on balance of an asset without token ids, in the transfers that are left. */
  lossOf(asset: Address): bigint {
    const balance = this.rest();
    this.#losses ??= new Map(
      balance.gave.flatMap((one) => (one.tokenId === undefined ? [[one.asset, one.amount]] : [])),
    );
    return this.#losses.get(asset) ?? 0n;
  }
}

function netOf(transfers: Iterable<PlacedTransfer>, account: Address): Balance {
  const nets = new Map<string, Quantity>();
  for (const { transfer } of transfers) {
    const key = assetKey(transfer);
    const sign = transfer.to === account ? 1n : -1n;
    nets.set(key, increased(nets.get(key), transfer, sign * transfer.amount));
  }
  const all = [...nets.values()];
  return {
    gave: all.filter(({ amount }) => amount < 0n).map((one) => ({ ...one, amount: -one.amount })),
    got: all.filter(({ amount }) => amount > 0n),
  };
}

function moveOf({ transfer, measured }: PlacedTransfer, account: Address): Move {
  const isOut = transfer.from === account;
  const other = isOut ? transfer.to : transfer.from;
  return {
    ...quantityOf(transfer),
    isOut,
    other: measured ? measured.other : other,
    isOfNobody: measured ? measured.other === ZERO_ADDRESS : isNobody(other),
  };
}

/** A transfer as the account sees it. */
interface Move extends Quantity {
  readonly isOut: boolean;
  /** The other side; undefined if no account is on it or it is not known. */
  readonly other: Address | undefined;
  /** Whether it is known that no account is on the other side: tokens that are minted or burned. */
  readonly isOfNobody: boolean;
}

export const isNobody = (side: Address | undefined): boolean =>
  side === undefined || BigInt(side) === 0n;
