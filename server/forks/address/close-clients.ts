import { once } from 'node:events';
import type { WebSocketServer } from 'ws';

/** RFC 6455 §7.4.1: going away. */
export const GOING_AWAY = 1001;
const GRACE_MS = 1_000;

/** Closes the WebSockets of a server. Resolves when all are closed. Clients that do not answer are disconnected. */
export async function closeClients(server: WebSocketServer): Promise<void> {
  const clients = [...server.clients];
  const closed = clients.map((client) => once(client, 'close'));
  for (const client of clients) {
    client.close(GOING_AWAY, 'the service stops');
    // A paused client would never see the answer.
    client.resume();
  }
  const deadline = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, GRACE_MS);
  await Promise.all(closed);
  clearTimeout(deadline);
  server.close();
}
