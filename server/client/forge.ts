import { spawn } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { LIMITS } from '../api/limits';

/** How to get forge, for those who do not have it. */
export const HOW_TO_GET_FORGE =
  'install Foundry (https://getfoundry.sh: curl -L https://foundry.paradigm.xyz | bash, then foundryup), or name its path';

/** Forge cannot be started, wrote too much, or did not do what it was asked for. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
}

/** A test as `forge test --list --json` names it. */
export interface ListedTest {
  /** Path in the project. */
  readonly file: string;
  readonly contract: string;
  readonly name: string;
}

export interface ForgeRun {
  /** Path or name of the executable. */
  readonly forge: string;
  /** Folder of the project. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** How often the size of the output is looked at, in milliseconds. */
const WATCH_MS = 250;
const MOST_ERRORS = 64 * 1024;

/** @returns the path of an executable of the search path; undefined if there is none */
export async function findForge(
  searchPath = process.env['PATH'] ?? '',
): Promise<string | undefined> {
  const names = process.platform === 'win32' ? ['forge.exe'] : ['forge'];
  for (const folder of searchPath.split(delimiter)) {
    if (folder === '') continue;
    for (const name of names) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile() === true) return join(folder, name);
    }
  }
  return undefined;
}

/**
 * Runs forge, and writes its output to a file.
 * @returns its exit code, and what it wrote to standard error
 * @throws ForgeError; the signal's reason: forge is ended then
 */
export async function runForge(
  { forge, folder, args, env = {}, signal }: ForgeRun,
  output: string,
): Promise<{ code: number; errors: string }> {
  signal?.throwIfAborted();
  const file = await open(output, 'w', 0o600);
  let errors = '';
  const watched = { isTooLarge: false };
  try {
    const child = spawn(forge, args, {
      cwd: folder,
      env: { ...process.env, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', NO_COLOR: '1', ...env },
      stdio: ['ignore', file.fd, 'pipe'],
      ...(signal && { signal, killSignal: 'SIGKILL' as const }),
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < MOST_ERRORS) errors += chunk.toString();
    });
    const watch = setInterval(() => {
      void file.stat().then(({ size }) => {
        if (size <= LIMITS.forgeOutput) return;
        watched.isTooLarge = true;
        child.kill('SIGKILL');
      });
    }, WATCH_MS);
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (ended) => {
        resolve(ended ?? -1);
      });
    }).finally(() => {
      clearInterval(watch);
    });
    if (watched.isTooLarge) {
      const gigabytes = LIMITS.forgeOutput / 1024 ** 3;
      throw new ForgeError(
        `forge wrote more than ${gigabytes} GiB, because it repeats the memory at every step: debug a shorter test`,
      );
    }
    return { code, errors };
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ForgeError(`${forge} cannot be started: ${HOW_TO_GET_FORGE}`, { cause: error });
  } finally {
    await file.close();
  }
}

/** A fork that tests run on. */
export interface ForkedTests {
  /** Id of the fork. */
  readonly chain: string;
  /** Its JSON-RPC address, which is its credential. */
  readonly url: string;
  readonly block: number;
}

/** Environment that has tests run on a fork: as `--fork-url` and `--fork-block-number`, without the address in the list of processes. */
export const forkEnvironment = (fork: ForkedTests | undefined): Record<string, string> =>
  fork === undefined
    ? {}
    : {
        FOUNDRY_ETH_RPC_URL: fork.url,
        FOUNDRY_FORK_BLOCK_NUMBER: String(fork.block),
        // A fork's state at a block is its own.
        FOUNDRY_NO_STORAGE_CACHING: 'true',
      };

/** Arguments that list the tests of a project. */
export const LIST_TESTS = ['test', '--list', '--json'] as const;

/**
 * Arguments that execute tests, and write each result with its calls.
 * @param tests of one project; none for all
 */
export function testArguments(tests: readonly ListedTest[]): string[] {
  const args = ['test', '--json', '-vv', '--allow-failure'];
  if (tests.length === 0) return args;
  const anyOf = (of: (test: ListedTest) => string): string =>
    `^(${[...new Set(tests.map(of))].join('|')})$`;
  args.push(
    '--match-contract',
    anyOf(({ contract }) => contract),
  );
  args.push('--match-test', `^(${[...new Set(tests.map(({ name }) => name))].join('|')})\\(`);
  const [file, other] = new Set(tests.map((test) => test.file));
  if (file !== undefined && other === undefined) args.push('--match-path', file);
  return args;
}

/** Build output with syntax trees, in a project's folder that is not part of its repository: its own output is not changed. */
export const BUILD_FOLDER = 'cache/forklens';

/** Arguments that execute one test, and write each of its steps. */
export const debugArguments = (test: ListedTest): string[] => [
  ...testArguments([test]).map((one) => (one === '-vv' ? '-vvvvv' : one)),
  '--ast',
  '--out',
  `${BUILD_FOLDER}/out`,
  '--cache-path',
  `${BUILD_FOLDER}/cache`,
];
