import { LIMITS } from '../api/limits';
import { runProgram, type ProgramRun } from './programs';

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

export interface ForgeRun extends Omit<ProgramRun, 'program'> {
  /** Path or name of the executable. */
  readonly forge: string;
}

/**
 * Runs forge, and writes its output to a file.
 * @returns its exit code, and what it wrote to standard error
 * @throws ForgeError; the signal's reason: forge is ended then
 */
export async function runForge(
  { forge, env = {}, ...run }: ForgeRun,
  output: string,
): Promise<{ code: number; errors: string }> {
  const quiet = { FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', ...env };
  const end = await runProgram(
    { ...run, program: forge, env: quiet },
    output,
    LIMITS.forgeOutput,
  ).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ForgeError(`${forge} cannot be started: ${HOW_TO_GET_FORGE}`, { cause: error });
  });
  if (!end.isTooLarge) return end;
  const gigabytes = LIMITS.forgeOutput / 1024 ** 3;
  throw new ForgeError(
    `forge wrote more than ${gigabytes} GiB, because it repeats the memory at every step: debug a shorter test`,
  );
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
