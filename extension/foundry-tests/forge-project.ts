import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  debugArguments,
  forkEnvironment,
  ForgeError,
  HOW_TO_GET_FORGE,
  LIST_TESTS,
  runForge,
  testArguments,
  type ForkedTests,
  type ListedTest,
} from '../../server/client/forge';
import { readOutcomes, readTestList, type TestOutcome } from '../../server/client/forge-results';
import { findProgram } from '../../server/client/programs';
import { readForgePath } from '../editor/settings';

interface Command {
  readonly args: readonly string[];
  readonly fork?: ForkedTests | undefined;
}

/** A Foundry project of the workspace, and what forge does in it. */
export class ForgeProject {
  /** @param folder that of `foundry.toml` */
  constructor(readonly folder: string) {}

  async list(signal: AbortSignal): Promise<ListedTest[]> {
    return readTestList(await this.#output({ args: LIST_TESTS }, signal));
  }

  /** @param tests none for all */
  async run(
    tests: readonly ListedTest[],
    fork: ForkedTests | undefined,
    signal: AbortSignal,
  ): Promise<TestOutcome[]> {
    return readOutcomes(await this.#output({ args: testArguments(tests), fork }, signal));
  }

  /**
   * Executes a test, and has its steps written.
   * @param use receives the file, which is removed afterwards
   */
  async record<T>(
    test: ListedTest,
    fork: ForkedTests | undefined,
    signal: AbortSignal,
    use: (file: string) => Promise<T>,
  ): Promise<{ result: T; remove: () => Promise<void> }> {
    const folder = await mkdtemp(path.join(tmpdir(), 'forklens-test-'));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      const file = path.join(folder, 'test.json');
      await this.#execute({ args: debugArguments(test), fork }, file, signal);
      return { result: await use(file), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }

  async #output(command: Command, signal: AbortSignal): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'forklens-test-'));
    try {
      const file = path.join(folder, 'output.json');
      await this.#execute(command, file, signal);
      return await readFile(file, 'utf8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @throws ForgeError where forge is not there or fails, with what it wrote; the signal's reason */
  async #execute({ args, fork }: Command, output: string, signal: AbortSignal): Promise<void> {
    const forge = await forgePath();
    const run = { forge, folder: this.folder, args, env: forkEnvironment(fork), signal };
    const { code, errors } = await runForge(run, output);
    if (code === 0) return;
    const wrote = errors.trim() || (await readFile(output, 'utf8')).trim();
    const text = fork ? wrote.replaceAll(fork.url, 'the fork') : wrote;
    throw new ForgeError(text.slice(0, 4_000) || `forge ended with exit code ${code}`);
  }
}

/** @throws ForgeError that says how to get it */
async function forgePath(): Promise<string> {
  const given = readForgePath();
  const found = given === '' ? await findProgram('forge') : given;
  if (found !== undefined) return found;
  throw new ForgeError(
    `forge is not installed: ${HOW_TO_GET_FORGE} in the setting forklens.forge.path`,
  );
}
