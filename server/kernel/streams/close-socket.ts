import type { Duplex } from 'node:stream';

/** Time that a client has to read the last answer, in milliseconds. */
const LINGER_MS = 1_000;

/** Sends a last text on a socket and closes it, whether or not the client reads it. */
export function closeSocket(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy()); // the client may have disconnected already
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // The system would drop the answer if unread data remained.
  socket.resume();
  socket.end(text);
}
