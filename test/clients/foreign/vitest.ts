import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../outcomes';
import { runCommand } from './command';
import { vitestOutcomes } from './results';

/**
 * Copies our vitest configuration of a project into its checkout.
 * @param project prefix of `files/<project>.config.mts` and `.setup.mts`
 */
export async function prepareVitest(folder: string, project: string): Promise<void> {
  for (const part of ['config', 'setup']) {
    const file = join(__dirname, 'files', `${project}.${part}.mts`);
    await copyFile(file, join(folder, `forklens.${part}.mts`));
  }
}

/** Runs the tests of a prepared checkout on a node. @param url URL of the node */
export function runVitest(folder: string, url: string): Promise<Map<string, Outcome>> {
  const results = join(folder, 'forklens-results.json');
  const config = ['--config', 'forklens.config.mts', '--reporter', 'json'];
  const args = ['node_modules/.bin/vitest', 'run', ...config, '--outputFile', results];
  return vitestOutcomes(results, () =>
    runCommand(process.execPath, args, {
      cwd: folder,
      env: { FORK_RPC: url },
      timeout: 20 * 60_000,
    }),
  );
}
