import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often sockets are looked at within the time that they have. */
const LOOKS = 4;

interface Stand {
  /** Bytes that had been sent … */
  sent: number;
  /** … in how many looks in a row. */
  looks: number;
}

/**
 * Cuts off clients that take nothing for a while of what waits for them: answers, events and messages of WebSockets alike. What they
 * do not take would stay in memory, or hold an engine.
 * @param onCut told how many at a time
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
