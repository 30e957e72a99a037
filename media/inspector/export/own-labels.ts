import type { Flow } from '../protocol/protocol';
import type { Exported } from './report';

const ADDRESS = /0x[0-9a-f]{40}/g;

/**
 * Keeps only the labels of addresses that occur in the parts. Responses contain all labels of the user, which must not be passed on
 * with an exported file.
 */
export function withOwnLabels(parts: Exported): Exported {
  const found = new Set<string>();
  for (const part of Object.values(parts)) {
    const facts = JSON.stringify({ ...part, labels: undefined });
    for (const [address] of facts.matchAll(ADDRESS)) found.add(address);
  }
  const kept = (labels: Flow['labels']): Flow['labels'] =>
    Object.fromEntries(Object.entries(labels).filter(([address]) => found.has(address)));
  const own = Object.entries(parts).map(([id, part]) => [
    id,
    'labels' in part ? { ...part, labels: kept(part.labels) } : part,
  ]);
  return Object.fromEntries(own) as Exported;
}
