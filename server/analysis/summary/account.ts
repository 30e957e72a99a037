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
      nets.set(key, increased(nets.get(key), transfer, sign * transfer.amount));
    }
    const all = [...nets.values()];
    return {
      gave: all.filter(({ amount }) => amount < 0n).map((one) => ({ ...one, amount: -one.amount })),
      got: all.filter(({ amount }) => amount > 0n),
    };
  }

  private moveOf({ transfer, measured }: PlacedTransfer): Move {
    const isOut = transfer.from === this.address;
    const other = isOut ? transfer.to : transfer.from;
    return {
      ...quantityOf(transfer),
      isOut,
      other: measured ? measured.other : other,
      isOfNobody: measured ? measured.other === ZERO_ADDRESS : isNobody(other),
    };
  }
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
