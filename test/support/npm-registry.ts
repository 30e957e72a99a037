import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const RECORD = 512;

/** A file in the form of tar. */
function tarEntry(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(RECORD);
  head.write(name, 0, 'latin1');
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  head.write('0', 156, 'latin1');
  const padding = Buffer.alloc((RECORD - (content.length % RECORD)) % RECORD);
  return Buffer.concat([head, content, padding]);
}

const packed = (files: Record<string, Buffer>): Buffer =>
  gzipSync(
    Buffer.concat([
      ...Object.entries(files).map(([name, content]) => tarEntry(`package/${name}`, content)),
      Buffer.alloc(2 * RECORD),
    ]),
  );

/** A registry of npm with one version of solc. */
export class NpmRegistry {
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** What the metadata say; undefined: nothing. */
  integrity: string | undefined;
  /** Whether something else is sent in place of the package. */
  isBroken = false;
  readonly #tarball: Buffer;
  readonly #server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    const { version } = this;
    if (request.url === `/npm/solc/${version}`) {
      const tarball = `${this.url}/npm/solc/-/solc-${version}.tgz`;
      const dist = { tarball, integrity: this.integrity };
      response.end(JSON.stringify({ name: 'solc', version, dist }));
    } else if (request.url === `/npm/solc/-/solc-${version}.tgz`) {
      response.end(this.isBroken ? Buffer.from('something else') : this.#tarball);
    } else response.writeHead(404).end('{"error":"not found"}');
  });

  private constructor(
    private readonly version: string,
    files: Record<string, Buffer>,
  ) {
    this.#tarball = packed(files);
    this.reset();
  }

  /** @param files of the package, by name */
  static async start(version: string, files: Record<string, Buffer>): Promise<NpmRegistry> {
    const registry = new NpmRegistry(version, files);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** Without the path `/npm` of the registry. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was asked, and answers as npm does. */
  reset(): void {
    this.integrity = `sha512-${createHash('sha512').update(this.#tarball).digest('base64')}`;
    this.isBroken = false;
    this.asked.length = 0;
  }

  close(): void {
    this.#server.close();
  }
}
