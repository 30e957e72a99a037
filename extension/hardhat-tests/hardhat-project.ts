import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { timeoutSignal } from '../../server/api/timeout-signal';
import { runProgram, type ProgramEnd } from '../../server/client/programs';
import { findHardhat, type Hardhat } from './find-hardhat';
import { HOOK_VARIABLE, MOST_REPORT, NETWORK, type HookOrder } from './hook-order';
import { readList, readReport, type ListedTest, type RunReport } from './report';

/** Most bytes of what Hardhat prints. */
const MOST_OUTPUT = 64 * 1024 ** 2;
/** Bytes of what is printed that are shown. */
const SHOWN_OUTPUT = 1024 ** 2;
/** How long the tests are listed for, which loads their files. A first compilation may fetch its compiler. */
const LIST_MS = 10 * 60_000;
/** More characters of names are not passed on: whole files are run then. */
const MOST_NAMES = 8_000;

export interface HardhatRun extends RunReport {
  /** What Hardhat and the tests printed, bounded. */
  readonly printed: string;
}

/** A Hardhat project of the workspace, and what Hardhat does in it. */
export class HardhatProject {
  /**
   * @param folder that of `hardhat.config.*`
   * @param hook path of the script that reports tests
   */
  constructor(
    readonly folder: string,
    private readonly hook: string,
    private readonly searchPath?: string,
  ) {}

  /**
   * @returns with the problem, where not all could be listed
   * @throws Error with what Hardhat wrote; the signal's reason
   */
  async list(signal: AbortSignal): Promise<{ tests: ListedTest[]; problem: string | undefined }> {
    const deadline = timeoutSignal(LIST_MS);
    try {
      const order = { mode: 'list' } as const;
      const { report, printed, end } = await this.#execute(
        order,
        {},
        AbortSignal.any([signal, deadline]),
      );
      const { tests, broken } = readList(report);
      const texts = broken.map(({ file, message }) => `${file}: ${message}`);
      if (end.code !== 0) texts.push(failureText(end, printed));
      const problem = texts.length === 0 ? undefined : texts.join('\n');
      if (problem !== undefined && tests.length === 0) throw new Error(problem);
      return { tests, problem };
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      throw new Error(l10n.t('Hardhat did not list its tests within 10 minutes.'), {
        cause: error,
      });
    }
  }

  /**
   * @param tests of one project
   * @param all that the project lists: whole files are run without patterns
   * @param url JSON-RPC address of the network that they run on; undefined: that of the configuration
   * @throws Error with what Hardhat wrote where it reported no test; the signal's reason
   */
  async run(
    tests: readonly ListedTest[],
    all: readonly ListedTest[],
    url: string | undefined,
    signal: AbortSignal,
  ): Promise<HardhatRun> {
    const order = { mode: 'run', url } as const;
    const { report, printed, end } = await this.#execute(order, select(tests, all), signal);
    const { outcomes, broken } = readReport(report);
    if (end.code !== 0 && outcomes.length === 0 && broken.length === 0) {
      throw new Error(failureText(end, printed));
    }
    return { outcomes, broken, printed: [printed, end.errors].join('') };
  }

  async #execute(
    order: Pick<HookOrder, 'mode' | 'url'>,
    { files = [], pattern }: Selection,
    signal: AbortSignal,
  ): Promise<{ report: string; printed: string; end: ProgramEnd }> {
    const hardhat = await findHardhat(this.folder, this.searchPath);
    const folder = await mkdtemp(path.join(tmpdir(), 'forklens-test-'));
    try {
      const report = path.join(folder, 'report');
      await writeFile(report, '', { mode: 0o600 });
      const whole: HookOrder = { ...order, version: hardhat.version, output: report };
      const output = path.join(folder, 'output');
      const run = {
        program: hardhat.node,
        folder: this.folder,
        args: [
          ...(hardhat.version === 3 ? namePattern(order.mode, pattern) : []),
          '--require',
          this.hook,
          hardhat.script,
          ...(await this.#network(hardhat, order.url)),
          'test',
          ...(pattern === undefined ? [] : ['--grep', pattern]),
          ...files,
        ],
        env: {
          [HOOK_VARIABLE]: JSON.stringify(whole),
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
          ...(order.url !== undefined && { [URL_VARIABLE]: order.url }),
        },
        signal,
      };
      const end = await runProgram(run, output, MOST_OUTPUT);
      if (end.isTooLarge) {
        throw new Error(l10n.t('Hardhat was ended, because its tests printed more than 64 MiB.'));
      }
      return {
        report: await head(report, MOST_REPORT),
        printed: await head(output, SHOWN_OUTPUT),
        end,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Options that choose the network. */
  async #network({ version }: Hardhat, url: string | undefined): Promise<string[]> {
    if (url === undefined) return [];
    if (version === 2) return ['--network', NETWORK];
    return ['--network', NETWORK, '--config', await this.#writeConfiguration()];
  }

  /**
   * Writes a configuration of Hardhat 3 with the network, in a folder that is not part of the repository, under a name that makes no
   * project of it.
   * @returns its path
   */
  async #writeConfiguration(): Promise<string> {
    const names = await readdir(this.folder);
    const config = CONFIGS_3.find((name) => names.includes(name)) ?? CONFIGS_3[0];
    const folder = path.join(this.folder, 'cache/forklens');
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, 'with-network.mjs');
    const { href } = pathToFileURL(path.join(this.folder, config));
    const network = `{ type: 'http', url: process.env.${URL_VARIABLE} }`;
    await writeFile(
      file,
      `import config from ${JSON.stringify(href)};
export default { ...config, networks: { ...config.networks, ${NETWORK}: ${network} } };
`,
    );
    return file;
  }
}

/** The network's address in the environment: it is a credential, and stays out of files and arguments. */
const URL_VARIABLE = 'FORKLENS_TEST_URL';
/** In the order in which Hardhat 3 looks for them. */
const CONFIGS_3 = ['hardhat.config.ts', 'hardhat.config.js'] as const;

/** Option of Node.js, whose runner does not follow Hardhat's own. Tests that it runs by itself are not executed while they are listed. */
function namePattern(mode: HookOrder['mode'], pattern: string | undefined): string[] {
  const wanted = mode === 'list' ? '(?!)' : pattern;
  return wanted === undefined ? [] : [`--test-name-pattern=${wanted}`];
}

async function head(file: string, most: number): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(size, most)) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function failureText({ code, errors }: ProgramEnd, printed: string): string {
  const wrote = errors.trim() || printed.trim();
  return wrote.slice(0, 4_000) || l10n.t('Hardhat ended with exit code {0}.', code);
}

/** Which tests of a project run; by default all. */
export interface Selection {
  readonly files?: readonly string[];
  /** A regular expression; undefined: all tests of the files. */
  readonly pattern?: string;
}

/** @param all that the project lists */
export function select(tests: readonly ListedTest[], all: readonly ListedTest[]): Selection {
  if (tests.length === all.length) return {};
  const files = [...new Set(tests.map(({ file }) => file))];
  const inFiles = all.filter(({ file }) => files.includes(file));
  if (tests.length === inFiles.length) return { files };
  const pattern = `^(${[...new Set(tests.map(patternOf))].join('|')})`;
  return pattern.length > MOST_NAMES ? { files } : { files, pattern };
}

/** Tests of JavaScript are found by their titles one after another, those of Solidity by the function. */
function patternOf({ runner, path: titles }: ListedTest): string {
  const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return runner === 'solidity'
    ? `${escape(titles.at(-1) ?? '')}\\(`
    : `${escape(titles.join(' '))}$`;
}
