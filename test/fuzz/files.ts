import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { configSchema } from '../../server/api/config';
import type { Options } from '../../server/composition/startup/options';
import { startServices } from '../../server/composition/services';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject, startService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import type { Tally, Target } from './campaign';
import { must } from './checks';
import { hostileValue, mutated, mutation, type Mutation } from './hostile-values';
import { MARKER } from './fuzz-target';

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const MAX_MS = 20_000;

interface Edit {
  file: number;
  how: 'cut' | 'flip' | 'empty' | 'append' | 'swap' | 'mutate' | 'delete' | 'folder' | 'repeat';
  at: number;
  change: Mutation;
  value: unknown;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  file: fc.nat(),
  how: fc.constantFrom(
    'cut',
    'flip',
    'empty',
    'append',
    'swap',
    'mutate',
    'mutate',
    'delete',
    'folder',
    'repeat',
  ),
  at: fc.nat(),
  change: mutation,
  value: hostileValue,
});

/** Damages every kind of file in a data directory. The service must start with its earlier data, or refuse and name the file. */
export class FilesTarget implements Target<Edit[]> {
  readonly scripts = fc.array(edit, { minLength: 1, maxLength: 3 });
  readonly perRound = 25;
  known: string[] = [];
  #template = '';
  #key = '';
  #files: string[] = [];
  #projects: string[] = [];
  readonly #unhandled: unknown[] = [];
  readonly #onUnhandled = (error: unknown): void => void this.#unhandled.push(error);

  static async open(): Promise<FilesTarget> {
    const target = new FilesTarget();
    await target.#prepare();
    process.on('unhandledRejection', target.#onUnhandled);
    process.on('uncaughtException', target.#onUnhandled);
    return target;
  }

  /** Creates a data directory with a file of every kind. */
  async #prepare(): Promise<void> {
    const dataDir = await makeTemporaryDirectory();
    const service = await startService({ dataDir, args: ['--sandbox'] });
    const fork = await createFork(service, { chainId: 31_337, height: '0x8' });
    await createFork(service, { chainId: 31_337, name: 'untouched' });
    await call(fork.rpc, 'anvil_setBalance', MARKER, '0x7');
    await call(fork.rpc, 'eth_sendTransaction', { from: ADDRESS, to: MARKER, value: '0x1' });
    const project = await localProject(service);
    const path = `/v1/project/${project}/fork/${fork.forkId}/snapshots`;
    await service.request('POST', path, { body: { name: 'one' } });
    await service.request('POST', '/v1/project', { body: { name: 'two' } });
    await service.request('PUT', '/v1/labels', { body: { address: MARKER, name: 'treasury' } });
    const abi = [{ type: 'function', name: 'f', inputs: [] }];
    await service.request('PUT', `/v1/abi/sandbox/${MARKER}`, { body: { abi } });
    const hash = sandboxHash('swap-two-hops');
    await service.request('GET', `/v1/explorer/sandbox/transaction/${hash}/analysis`);
    await service.request('GET', `/v1/explorer/${fork.forkId}/transaction/${hash}/analysis`);
    const { data } = await service.request<Project[]>('GET', '/v1/projects');
    this.#projects = data.map(({ projectId }) => projectId);
    this.#key = service.key;
    await service.stop();
    this.#template = dataDir;
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    this.#files = entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('/engine'))
      .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)))
      .sort();
    this.known = [...new Set(this.#files.map(kindOf))];
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  async run(edits: Edit[], tally: Tally): Promise<void> {
    const folder = await makeTemporaryDirectory();
    try {
      await cp(this.#template, folder, { recursive: true });
      const edited: string[] = [];
      for (const one of edits) edited.push(await this.#apply(folder, one));
      const started = await this.#start(folder, edits, edited);
      for (const file of edited) tally.count(kindOf(file), started ? 'taken' : 'refused');
      must(this.#unhandled.length === 0, `unhandled: ${String(this.#unhandled.splice(0)[0])}`);
    } finally {
      await removeDirectory(folder);
    }
  }

  async #apply(folder: string, { file, how, at, change, value }: Edit): Promise<string> {
    const name = this.#files[file % this.#files.length]!;
    const path = join(folder, name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (how === 'delete' || how === 'folder') {
      await rm(path, { force: true, recursive: true });
      if (how === 'folder') await mkdir(path);
      return name;
    }
    const other = join(this.#template, this.#files[at % this.#files.length]!);
    const flipped = Buffer.from(bytes);
    if (flipped.length > 0) flipped[at % flipped.length]! ^= 1 << (at % 7);
    const contents = {
      cut: () => bytes.subarray(0, at % (bytes.length + 1)),
      flip: () => flipped,
      empty: () => '',
      append: () => Buffer.concat([bytes, Buffer.from(JSON.stringify(value))]),
      swap: () => readFile(other),
      repeat: () => Buffer.concat([bytes, bytes]),
      mutate: () => mutatedText(bytes.toString('utf8'), at, change),
    }[how];
    await rm(path, { force: true, recursive: true });
    await writeFile(path, await contents());
    return name;
  }

  /** @returns whether the service started @throws Violation if it starts without the earlier data, or refuses unclearly */
  async #start(folder: string, edits: Edit[], edited: readonly string[]): Promise<boolean> {
    const options: Options = {
      host: '127.0.0.1',
      port: 0,
      dataDir: folder,
      sandbox: false,
      localUser: true,
      stdinLifeline: false,
      publicUrl: undefined,
      allowedHosts: [],
      trustedProxies: [],
      solc: [],
      tls: undefined,
      logLevel: 'fatal',
      database: undefined,
      leaseSeconds: 10,
      nodeUrl: undefined,
      config: configSchema.parse({
        abi: { sourcify: { enabled: false }, signatures: { enabled: false } },
      }),
    };
    const storeBefore = await readFile(join(folder, 'store.json')).catch(() => undefined);
    const started = performance.now();
    let services;
    try {
      services = await startServices(options, pino({ level: 'silent' }));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      must(text.includes(folder), `it refuses without naming a file: ${String(error)}`);
      must(!(error instanceof TypeError || error instanceof SyntaxError), String(error));
      const after = await readFile(join(folder, 'store.json')).catch(() => undefined);
      // A damaged store may have been restored before another file was refused.
      const isSame = edited.includes('store.json') || String(after) === String(storeBefore);
      must(isSame, 'it refuses, and has changed store.json');
      return false;
    }
    try {
      await this.#look(services.url, folder, edits, edited);
    } finally {
      await services.stop();
    }
    must(performance.now() - started < MAX_MS, 'it takes too long');
    return true;
  }

  async #look(
    url: string,
    folder: string,
    edits: Edit[],
    edited: readonly string[],
  ): Promise<void> {
    const key = await this.#keyOf(folder);
    const get = async (path: string): Promise<{ code: number; message: string; data: unknown }> => {
      const response = await fetch(url + path, { headers: { 'Access-Key': key } });
      return (await response.json()) as { code: number; message: string; data: unknown };
    };
    const projects = await get('/v1/projects');
    // A changed but well-formed value cannot be distinguished from the original.
    if (edits.every(({ how }) => how !== 'mutate' && how !== 'flip')) {
      const ids = (projects.data as Project[] | null)?.map(({ projectId }) => projectId);
      // If the store and its newest copy are damaged, the service restores an older copy.
      const areCopiesLost =
        edited.includes('store.json') &&
        edited.some((name) => name.startsWith('generations/store.json'));
      const isOlder = edits.some((one) => this.#isSwappedForCopy(one));
      const wanted =
        areCopiesLost || isOlder ? this.#projects.slice(0, ids?.length) : this.#projects;
      must(wanted.length > 0, 'the service started without projects');
      must(String(ids) === String(wanted), `the projects are ${String(ids)}: ${projects.message}`);
    }
    must([0, 40_101].includes(projects.code), `the projects: ${projects.message}`);
    if (projects.code !== 0) return;
    const list = projects.data as Project[];
    const asked = [
      '/v1/labels',
      `/v1/abi/eth/${MARKER}`,
      '/v1/account',
      '/v1/chains',
      ...list.map(({ projectId }) => `/v1/project/${projectId}/forks`),
    ];
    for (const path of asked) {
      const { code, message, data } = await get(path);
      const isReported = code === 50_001 && message.includes(folder);
      must(
        code === 0 || isReported || (code > 40_000 && code < 50_000),
        `${path}: ${code} ${message}`,
      );
      if (!path.endsWith('/forks') || code !== 0) continue;
      for (const { forkId } of data as Fork[]) {
        const read = await get(`${path.replace(/s$/, '')}/${forkId}/snapshots`);
        must(read.code !== 50_000, `the snapshots of ${forkId}: ${read.message}`);
      }
    }
  }

  /** Whether the store is replaced by an older copy of itself, which nothing tells from the newest. */
  #isSwappedForCopy({ file, how, at }: Edit): boolean {
    const [name, other] = [file, at].map((index) => this.#files[index % this.#files.length]!);
    const isStore = name === 'store.json' && how === 'swap';
    return isStore && other!.startsWith('generations/store.json');
  }

  /** Reads the access key. If the file has no live key, the service writes a new one and revokes the old one. */
  async #keyOf(folder: string): Promise<string> {
    const text = await readFile(join(folder, 'access-key'), 'utf8').catch(() => '');
    return /^\w[\w-]*$/.exec(text.trim())?.[0] ?? this.#key;
  }

  async close(): Promise<void> {
    process.off('unhandledRejection', this.#onUnhandled);
    process.off('uncaughtException', this.#onUnhandled);
    await removeDirectory(this.#template);
  }
}

/** Changes one value in a JSON file, or in one of its lines. */
function mutatedText(text: string, at: number, change: Mutation): string {
  const lines = text.split('\n');
  const index = at % lines.length;
  try {
    return JSON.stringify(mutated(JSON.parse(text), change));
  } catch {
    // Not a single JSON value: lines of JSON, or other text.
  }
  try {
    lines[index] = JSON.stringify(mutated(JSON.parse(lines[index]!), change));
  } catch {
    lines[index] = JSON.stringify(change.value);
  }
  return lines.join('\n');
}

/** Files of the same kind differ by ids. */
const kindOf = (file: string): string =>
  file
    .replace(/[0-9a-f]{8,}/g, '*')
    .replace(/\d{4}-?\d\d-?\d\d[\dTZ.:-]*/g, '*')
    .replace(/\d+/g, '*');
