import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { ChainExpression, Outcome } from '../expressions/chain-expression';
import { NodeReader, type ReadCount } from './node-reader';
import { oldestState } from './oldest-state';

/** Values of an expression after blocks of a chain, each read once. */
export class ValuesAfterBlocks {
  readonly #known = new Map<number, Promise<Outcome>>();
  readonly #count: ReadCount = { reads: 0 };

  constructor(
    private readonly network: Network,
    private readonly expression: ChainExpression,
    private readonly signal: AbortSignal,
  ) {}

  get reads(): number {
    return this.#count.reads;
  }

  readerOf(block: number): NodeReader {
    return new NodeReader(this.network.rpc, block, this.#count);
  }

  /** All at the same time. */
  at(blocks: readonly number[]): Promise<readonly Outcome[]> {
    return Promise.all(blocks.map((block) => this.after(block)));
  }

  after(block: number): Promise<Outcome> {
    const known = this.#known.get(block);
    if (known) return known;
    const outcome = this.expression.at(this.readerOf(block), this.signal);
    this.#known.set(block, outcome);
    return outcome;
  }

  /** Forgets what was read of blocks that are not needed any more. */
  drop(block: number): void {
    this.#known.delete(block);
  }

  /**
   * The values after both ends of a range.
   * @throws ApiError `upstreamLacksData` with the oldest block whose state the node has
   */
  async ends(from: number, to: number): Promise<readonly [Outcome, Outcome]> {
    // The last one first: what it reads is what the first one will probably read.
    const end = await this.after(to);
    try {
      return [await this.after(from), end];
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'upstreamLacksData') throw error;
      const { network, signal } = this;
      if (network.held !== undefined) throw error;
      const oldest = await oldestState(network.rpc, { lacking: from, kept: to }, signal);
      throw new ApiError(
        'upstreamLacksData',
        `the node of ${network.key} lacks the state of block ${from}: the oldest block whose state it has is ${oldest}; accepted: from ${oldest} on, or an archive node`,
        { cause: error },
      );
    }
  }
}
