import { blockOf } from '../../chains/lock/locked-call';
import { endpointOfKey, type EndpointName, type Lock } from '../../chains/lock/lock';

interface BlockContents {
  /** null: reads by hash, or without a block. */
  block: number | null;
  reads: number;
  /** Number of reads by method, sorted. */
  methods: Record<string, number>;
}

interface ChainContents {
  chain: number;
  head: number;
  endpoints: EndpointName[];
  reads: number;
  blocks: BlockContents[];
}

/** What a lock contains: as data, and as rows of a table. */
export function contentsOf({ endpoints, chains }: Lock): {
  chains: ChainContents[];
  rows: string[][];
} {
  const found = [...chains].map(([chain, { head, answers }]): ChainContents => {
    const blocks = new Map<number | null, BlockContents>();
    for (const { call } of answers.values()) {
      const number = blockOf(call);
      const block = number === undefined ? null : Number(number);
      const contents = blocks.get(block) ?? { block, reads: 0, methods: {} };
      blocks.set(block, contents);
      contents.reads++;
      contents.methods[call.method] = (contents.methods[call.method] ?? 0) + 1;
    }
    const names = [...endpoints]
      .filter(([, id]) => id === chain)
      .map(([key]) => endpointOfKey(key));
    return {
      chain,
      head: Number(head),
      endpoints: names,
      reads: answers.size,
      blocks: [...blocks.values()].sort((a, b) => (a.block ?? Infinity) - (b.block ?? Infinity)),
    };
  });
  found.sort((a, b) => a.chain - b.chain);
  const rows = found.flatMap(({ chain, blocks }) =>
    blocks.map(({ block, reads, methods }) => [
      String(chain),
      block === null ? 'by hash' : String(block),
      String(reads),
      Object.entries(methods)
        .map(([method, count]) => `${method} ${count}`)
        .sort()
        .join(', '),
    ]),
  );
  return { chains: found, rows };
}
