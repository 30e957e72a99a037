import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAnvil } from '../../server/chains/engine/binary';
import { anvilStarter } from '../../server/chains/engine/engine-process';
import { compileSandbox } from '../../server/chains/sandbox/compile.mjs';
import { startSandbox, type Sandbox } from '../../server/chains/sandbox/sandbox';

/** Set by UPDATE_GOLDENS=1: writes the golden files instead of comparing them. */
export const UPDATE_GOLDENS = process.env['UPDATE_GOLDENS'] === '1';

export const SANDBOX_FIXTURES = join(__dirname, '../fixtures/sandbox');

/** Compiles the contracts like the build. Fast if they are compiled already. */
export const compileTestContracts = (): Promise<void> =>
  compileSandbox(join(__dirname, '../../dist'));

/** Starts the built-in chain with its own home directory. `stop` ends the engine and removes the directory. */
export async function startTestSandbox(): Promise<Sandbox> {
  await compileTestContracts();
  const home = await mkdtemp(join(tmpdir(), 'forklens-test-'));
  const removeHome = () => rm(home, { recursive: true, force: true });
  try {
    const { path } = await findAnvil({ path: process.env['PATH'] });
    const sandbox = await startSandbox({ startEngine: anvilStarter({ binary: path, home }) });
    return {
      ...sandbox,
      stop: async () => {
        const exit = await sandbox.stop();
        await removeHome();
        return exit;
      },
    };
  } catch (error) {
    await removeHome();
    throw error;
  }
}
