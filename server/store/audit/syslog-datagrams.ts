import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { hostOf, portOf } from './syslog-address';
import type { Send } from './sink-queue';

/** Sends each text as a datagram (RFC 5426). Whether one arrives is not known. @param url `udp://host:port` */
export function sendDatagrams(url: URL): Send {
  const [host, port] = [hostOf(url), portOf(url)];
  return async (texts) => {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    try {
      for (const text of texts) {
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.send(text, port, host, (error) => {
            socket.off('error', reject);
            if (error) reject(error);
            else resolve();
          });
        });
      }
    } finally {
      socket.close();
    }
  };
}
