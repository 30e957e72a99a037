import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { TlsFiles } from './startup/tls-files';

/** Has a server use each new certificate of the files, for new connections. @returns a function that ends this */
export function renewCertificate(
  files: TlsFiles,
  server: Server,
  log: Logger,
): () => Promise<void> {
  const end = files.watch(
    (pair) => {
      if (server instanceof TlsServer) server.setSecureContext(pair);
      log.info('the certificate was renewed');
    },
    (error) => {
      log.warn(
        { reason: error.message },
        'the new certificate cannot be used: the one before stays',
      );
    },
  );
  return () => {
    end();
    return Promise.resolve();
  };
}
