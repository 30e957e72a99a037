import type { Duplex } from 'node:stream';
import type { ByteBudget, HeldBytes } from './byte-budget';

/** Bytes of a message that are not counted: most messages are shorter. */
const UNCOUNTED = 64 * 1024;

/**
 * Counts the bytes of a WebSocket's message that has not arrived whole: the library keeps them in memory until it has.
 * @param onRefused called when the budget has no room for them
 * @returns to be called when a message is complete, and when the WebSocket has closed
 */
export function countIncomplete(
  socket: Duplex,
  budget: ByteBudget,
  onRefused: () => void,
): () => void {
  let received = 0;
  let held: HeldBytes[] = [];
  // Before the library's own listener, which reports the messages that the chunk completes.
  socket.prependListener('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= UNCOUNTED) return;
    try {
      held.push(budget.take(chunk.length));
    } catch {
      onRefused();
    }
  });
  return () => {
    received = 0;
    for (const one of held) one.release();
    held = [];
  };
}
