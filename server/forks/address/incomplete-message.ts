import type { Duplex } from 'node:stream';
import type { ByteBudget, ReservedBytes } from './byte-budget';

/** Bytes of a message that are not counted: most messages are shorter. */
const UNCOUNTED = 64 * 1024;

/**
 * Counts the bytes of an incomplete WebSocket message, which the library keeps in memory until the message is complete.
 * @param onRefused called when the budget has no room for the bytes
 * @returns call it when a message is complete, and when the WebSocket has closed
 */
export function countIncomplete(
  socket: Duplex,
  budget: ByteBudget,
  onRefused: () => void,
): () => void {
  let received = 0;
  let reserved: ReservedBytes[] = [];
  // Runs before the library's own listener, which reports the messages that the chunk completes.
  socket.prependListener('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= UNCOUNTED) return;
    try {
      reserved.push(budget.take(chunk.length));
    } catch {
      onRefused();
    }
  });
  return () => {
    received = 0;
    for (const one of reserved) one.release();
    reserved = [];
  };
}
