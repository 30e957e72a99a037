import { createHash } from 'node:crypto';
import { endpointOfKey, type Lock, type LockedAnswer, type LockedChain } from './lock';
import { blockOf } from './locked-call';

/** Version of the format, in the first line. */
export const LOCK_VERSION = 1;
/** Longer answers are lines of their own, which all calls with this answer share: the code of a contract is the same at every block. */
const SHARED_FROM = 200;

/**
 * A lock as text: one JSON value a line, sorted, so that the same reads give the same bytes. Chunks by chain and block, calls by hash last;
 * long answers at the end, by the start of their SHA-256.
 */
export function writeLock({ endpoints, chains, fuzzSeed }: Lock): string {
  const values = new Map<string, string>();
  const lines = [JSON.stringify({ forklensLock: LOCK_VERSION })];
  for (const [key, chain] of sorted([...endpoints])) {
    const { kind, name } = endpointOfKey(key);
    lines.push(JSON.stringify({ [kind]: name, chain }));
  }
  if (fuzzSeed !== undefined) lines.push(JSON.stringify({ fuzzSeed }));
  for (const [id, chain] of [...chains].sort(([a], [b]) => a - b)) {
    lines.push(JSON.stringify({ chain: id, head: Number(chain.head) }));
    for (const { block, entries } of chunksOf(chain)) {
      const place = block === undefined ? 'byHash' : Number(block);
      lines.push(JSON.stringify({ chain: id, block: place }));
      lines.push(...entries.map(([text, answer]) => lineOf(text, answer, values)).sort());
    }
  }
  if (values.size > 0) lines.push(JSON.stringify({ values: 'sha256' }));
  for (const [hash, json] of sorted([...values])) lines.push(`["${hash}",${json}]`);
  return `${lines.join('\n')}\n`;
}

const sorted = <Value>(entries: [string, Value][]): [string, Value][] =>
  entries.sort(([a], [b]) => (a < b ? -1 : 1));

interface Chunk {
  block: bigint | undefined;
  entries: [string, LockedAnswer][];
}

function chunksOf({ answers }: LockedChain): Chunk[] {
  const chunks = new Map<bigint | undefined, Chunk>();
  for (const [text, answer] of answers) {
    const block = blockOf(answer.call);
    const chunk = chunks.get(block) ?? { block, entries: [] };
    chunks.set(block, chunk);
    chunk.entries.push([text, answer]);
  }
  return [...chunks.values()].sort((a, b) => {
    if (a.block === undefined || b.block === undefined) return a.block === undefined ? 1 : -1;
    return a.block < b.block ? -1 : 1;
  });
}

/** @param text the method and the parameters as a JSON array @param values receives long answers */
function lineOf(text: string, { outcome }: LockedAnswer, values: Map<string, string>): string {
  const call = text.slice(0, -1);
  if ('error' in outcome) return `${call},${JSON.stringify(ordered(outcome.error))},"error"]`;
  const json = JSON.stringify(ordered(outcome.value ?? null));
  if (json.length < SHARED_FROM) return `${call},${json}]`;
  const hash = hashOf(json);
  values.set(hash, json);
  return `${call},"${hash}","value"]`;
}

/** Identifies a long answer by the JSON of it. */
export const hashOf = (json: string): string =>
  createHash('sha256').update(json).digest('hex').slice(0, 32);

/** Nodes order the members of objects differently. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    ordered(one),
  ]);
  return Object.fromEntries(sorted(members));
}
