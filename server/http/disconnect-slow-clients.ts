import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Number of checks of each socket within the allowed time. */
const CHECKS = 4;

interface ReadProgress {
  /** Bytes sent at the last check. */
  sent: number;
  /** Number of consecutive checks without progress. */
  stalledChecks: number;
}

/**
 * Disconnects clients that for a while read none of the data that waits for them: answers, events and WebSocket messages. Unread data would
 * stay in memory or block an engine. Senders such as `WebSocketSender` wait for slow clients; this ends the wait.
 * @param onDisconnect receives the number of clients disconnected in a check
 */
export function disconnectSlowClients(
  server: Server,
  seconds: number,
  onDisconnect: (count: number) => void,
): void {
  const sockets = new Map<Socket, ReadProgress>();
  // With TLS, the data waits in the socket above the one of the connection.
  const arrival = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(arrival, (socket: Socket) => {
    sockets.set(socket, { sent: 0, stalledChecks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(
    () => {
      const stalled = [...sockets].filter(([socket, progress]) => isStalled(socket, progress));
      for (const [socket] of stalled) socket.destroy();
      if (stalled.length > 0) onDisconnect(stalled.length);
    },
    (seconds * 1000) / CHECKS,
  ).unref();
  server.on('close', () => {
    clearInterval(timer);
  });
}

function isStalled(socket: Socket, progress: ReadProgress): boolean {
  const waiting = socket.writableLength;
  const sent = socket.bytesWritten - waiting;
  progress.stalledChecks = waiting > 0 && sent === progress.sent ? progress.stalledChecks + 1 : 0;
  progress.sent = sent;
  return progress.stalledChecks >= CHECKS;
}
