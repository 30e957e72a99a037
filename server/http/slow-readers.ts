import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Number of checks of each socket within the allowed time. */
const LOOKS = 4;

interface Stand {
  /** Bytes sent at the last check. */
  sent: number;
  /** Number of consecutive checks without progress. */
  looks: number;
}

/**
 * Disconnects clients that for a while read none of the data that waits for them: answers, events and WebSocket messages. Unread data would
 * stay in memory or block an engine.
 * @param onCut receives the number of clients disconnected in a check
 */
export function cutOffSlowReaders(
  server: Server,
  seconds: number,
  onCut: (count: number) => void,
): void {
  const sockets = new Map<Socket, Stand>();
  server.on('connection', (socket) => {
    sockets.set(socket, { sent: 0, looks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(
    () => {
      const late = [...sockets].filter(([socket, stand]) => isLate(socket, stand));
      for (const [socket] of late) socket.destroy();
      if (late.length > 0) onCut(late.length);
    },
    (seconds * 1000) / LOOKS,
  ).unref();
  server.on('close', () => {
    clearInterval(timer);
  });
}

function isLate(socket: Socket, stand: Stand): boolean {
  const waiting = socket.writableLength;
  const sent = socket.bytesWritten - waiting;
  stand.looks = waiting > 0 && sent === stand.sent ? stand.looks + 1 : 0;
  stand.sent = sent;
  return stand.looks >= LOOKS;
}
