import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Time for open requests to finish when the service stops. */
const GRACE_MS = 2_000;

/**
 * @param port 0 for any free port
 * @param preferred port to use if `port` is 0 and this one is free
 * @returns the base URL at which clients on this machine reach the server
 * @throws Error that names the address, if it cannot be bound
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  preferred?: number,
): Promise<string> {
  if (port === 0 && preferred !== undefined && (await isBound(server, host, preferred))) {
    return baseUrl(server);
  }
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'the port is in use; choose another by --port' : message;
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error });
  }
  return baseUrl(server);
}

/** Binds the port. False if it is in use. */
async function isBound(server: Server, host: string, port: number): Promise<boolean> {
  server.listen(port, host);
  return once(server, 'listening').then(
    () => true,
    () => false,
  );
}

function baseUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  if (address === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`;
  if (address === '::') return `${scheme}://[::1]:${port}`;
  return family === 'IPv6' ? `${scheme}://[${address}]:${port}` : `${scheme}://${address}:${port}`;
}

/**
 * Stops accepting connections, and resolves when all are closed. Idle connections close immediately, the others after a short grace period.
 */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const deadline = setTimeout(() => {
    server.closeAllConnections();
  }, GRACE_MS);
  await closed;
  clearTimeout(deadline);
}
