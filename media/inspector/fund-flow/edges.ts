import type { FundTransfer } from '../../../server/api/views';
import { cents } from '../../../server/presentation/usd';

/** One arrow of the graph: a transfer, or all transfers of one asset from one account to another. */
export interface FlowEdge {
  /** Positions in the order of transfers, from 1. */
  numbers: number[];
  /** `''` is the destination of burnt ether. */
  from: string;
  to: string;
  /** The first of the transfers; all of them have the same asset. */
  transfer: FundTransfer;
  /** Sum in the smallest unit. */
  rawAmount: bigint;
  /** Sum of the transfers' values in cents; undefined if a price is unknown. */
  usdCents: bigint | undefined;
}

/** Transfers with the same key are parallel. Each token id is a separate asset, and what the state contradicts stays apart. */
const keyOf = ({ from, to, asset, tokenId = '', verified }: FundTransfer): string =>
  [from, to, asset, tokenId, verified].join(' ');

/** The arrows of transfers, to which more can be added: a long list arrives in slices. */
export class FlowEdges {
  readonly #edges = new Map<string, FlowEdge>();
  #count = 0;

  /** @param merged whether parallel transfers form one arrow */
  constructor(private readonly merged: boolean) {}

  /** @param transfers those of the calls before, and those that follow them */
  of(transfers: readonly FundTransfer[]): FlowEdge[] {
    for (; this.#count < transfers.length; this.#count++) {
      const transfer = transfers[this.#count];
      if (transfer) this.#add(transfer);
    }
    return [...this.#edges.values()];
  }

  #add(transfer: FundTransfer): void {
    const { from, to, order } = transfer;
    const key = this.merged ? keyOf(transfer) : String(order);
    const amount = BigInt(transfer.rawAmount);
    const usdCents = cents(transfer.value);
    const edge = this.#edges.get(key);
    if (!edge) {
      const added = { numbers: [order + 1], from, to, transfer, rawAmount: amount, usdCents };
      this.#edges.set(key, added);
      return;
    }
    edge.numbers.push(order + 1);
    edge.rawAmount += amount;
    edge.usdCents =
      edge.usdCents === undefined || usdCents === undefined ? undefined : edge.usdCents + usdCents;
  }
}

/** @param merged whether parallel transfers form one arrow */
export const flowEdges = (transfers: readonly FundTransfer[], merged: boolean): FlowEdge[] =>
  new FlowEdges(merged).of(transfers);

/** The arrows with the greatest value, in their original order. Arrows without a known value rank last. */
export function topEdges(edges: readonly FlowEdge[], limit: number): FlowEdge[] {
  if (edges.length <= limit) return [...edges];
  const usdCents = (edge: FlowEdge): bigint => edge.usdCents ?? -1n;
  return edges
    .toSorted((a, b) => (usdCents(b) > usdCents(a) ? 1 : usdCents(b) < usdCents(a) ? -1 : 0))
    .slice(0, limit)
    .sort((a, b) => (a.numbers[0] ?? 0) - (b.numbers[0] ?? 0));
}

/** Number of each asset's colour and dash, in order of first appearance. */
export function assetStyles(edges: readonly FlowEdge[]): Map<string, number> {
  const styles = new Map<string, number>();
  for (const { transfer } of edges) {
    if (!styles.has(transfer.asset)) styles.set(transfer.asset, styles.size);
  }
  return styles;
}

/** `1–3, 7` for numbers in ascending order. */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const first = numbers[at] ?? 0;
    let last = first;
    while (numbers[at + 1] === last + 1) last = numbers[++at] ?? last;
    ranges.push(first === last ? String(first) : `${first}–${last}`);
  }
  return ranges.join(', ');
}
