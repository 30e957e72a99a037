import type { Fork } from '../../server/api/fork';
import { grouped } from '../../server/client/format';

/** `eth @ 19,000,123:7`, without the position where the whole block is applied. */
export function forkPoint({
  chain,
  height,
  position,
}: Pick<Fork, 'chain' | 'height' | 'position'>): string {
  return `${chain} @ ${grouped(BigInt(height))}${position === null ? '' : `:${position}`}`;
}
