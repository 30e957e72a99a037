import type { Duplex } from 'node:stream';

/** Time in which a client may read the last answer, in milliseconds. */
const LINGER_MS = 1_000;

/** Sends a last text on a socket and closes it, whatever the client does. */
export function closeSocket(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy()); // the client may be gone already
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // Unread data would make the system drop the answer.
  socket.resume();
  socket.end(text);
}
