import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UsageError } from './config-file';

/** Certificate chain and private key, as PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Interval at which the files are compared. Also notices replaced links, as of Kubernetes' secrets. Milliseconds. */
const LOOK_MS = 1_000;

/** The certificate of the service, from files that may be replaced while it runs. */
export class TlsFiles {
  private constructor(
    private readonly certFile: string,
    private readonly keyFile: string,
    /** The last pair that could be used. */
    public current: Certificate,
  ) {}

  /** @throws UsageError that names the file or what does not fit, without contents */
  static open(certFile: string, keyFile: string): TlsFiles {
    return new TlsFiles(certFile, keyFile, readPair(certFile, keyFile));
  }

  /**
   * Reads the files when they change.
   * @param onChange receives each new pair that can be used
   * @param onBroken receives why a new pair cannot be used; the last one counts until the files change again
   * @returns a function that ends this
   */
  watch(onChange: (pair: Certificate) => void, onBroken: (error: Error) => void): () => void {
    const files = [this.certFile, this.keyFile];
    const look = (): void => {
      try {
        const pair = readPair(this.certFile, this.keyFile);
        if (pair.cert.equals(this.current.cert) && pair.key.equals(this.current.key)) return;
        this.current = pair;
        onChange(pair);
      } catch (error) {
        onBroken(error as Error);
      }
    };
    for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, look);
    return () => {
      for (const file of files) unwatchFile(file, look);
    };
  }
}

function readPair(certFile: string, keyFile: string): Certificate {
  const cert = read('--tls-cert', certFile);
  const key = read('--tls-key', keyFile);
  requireUsable(`--tls-cert: ${certFile} has no usable certificate in PEM format`, { cert });
  requireUsable(
    `--tls-key: ${keyFile} has no usable private key in PEM format without a password`,
    {
      key,
    },
  );
  requireUsable(`--tls-key: ${keyFile} is not the key of the certificate in ${certFile}`, {
    cert,
    key,
  });
  return { cert, key };
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${(error as Error).message}`);
  }
}

function requireUsable(problem: string, parts: Partial<Certificate>): void {
  try {
    createSecureContext(parts);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UsageError(code === undefined ? problem : `${problem} (${code})`);
  }
}
