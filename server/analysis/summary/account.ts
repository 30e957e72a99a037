import type { Address } from '../../api/primitives';
import type { PlacedTransfer } from '../transfers/collect';
import { assetKey, quantityOf, type Quantity } from './quantity';

/** What an account gave and got on balance. */
export interface Balance {
  readonly gave: readonly Quantity[];
  readonly got: readonly Quantity[];
}

/** The transfers of one account. A clause takes the transfers that bear it out, so that no transfer is told twice. */
export class Account {
  private readonly left: Set<PlacedTransfer>;

  constructor(
    readonly address: Address,
    transfers: readonly PlacedTransfer[],
  ) {
    this.left = new Set(
      transfers.filter(
        ({ transfer: { from, to } }) => (from === address) !== (to === address), // not to itself
      ),
    );
  }

  /** The first transfer that fits and is not taken. */
  find(fits: (transfer: Move, placed: PlacedTransfer) => boolean): PlacedTransfer | undefined {
    for (const placed of this.left) if (fits(this.moveOf(placed), placed)) return placed;
    return undefined;
  }

  all(fits: (transfer: Move, placed: PlacedTransfer) => boolean): PlacedTransfer[] {
    return [...this.left].filter((placed) => fits(this.moveOf(placed), placed));
  }

  take(...transfers: readonly PlacedTransfer[]): void {
    for (const one of transfers) this.left.delete(one);
  }

  /** Takes everything that is left. */
  takeRest(): PlacedTransfer[] {
    const rest = [...this.left];
    this.left.clear();
    return rest;
  }

  /** Net of the transfers that are left. */
  rest(): Balance {
    const nets = new Map<string, Quantity>();
    for (const { transfer } of this.left) {
      const key = assetKey(transfer);
      const sign = transfer.to === this.address ? 1n : -1n;
      const amount = (nets.get(key)?.amount ?? 0n) + sign * transfer.amount;
      nets.set(key, { ...quantityOf(transfer), amount });
    }
    const all = [...nets.values()];
    return {
      gave: all.filter(({ amount }) => amount < 0n).map((one) => ({ ...one, amount: -one.amount })),
      got: all.filter(({ amount }) => amount > 0n),
    };
  }

  private moveOf({ transfer }: PlacedTransfer): Move {
    const isOut = transfer.from === this.address;
    return { ...quantityOf(transfer), isOut, other: isOut ? transfer.to : transfer.from };
  }
}

/** A transfer as the account sees it. */
interface Move extends Quantity {
  readonly isOut: boolean;
  /** The other side; undefined if no account is on it. */
  readonly other: Address | undefined;
}
