// Writes the sandbox's plan to a JSON file. Runs in the build: signing all transactions would take a third of the service's start.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

/**
 * Writes the plan atomically.
 * @param {string} contractsFile as `compileSandbox` writes it
 * @param {string} outfile
 */
export async function writePlan(contractsFile, outfile) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(new URL('plan.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const module = { exports: {} };
  const run = new Function('module', 'exports', 'require', outputFiles[0].text);
  run(module, module.exports, createRequire(import.meta.url));
  const { contracts } = JSON.parse(await readFile(contractsFile, 'utf8'));
  const temporary = `${outfile}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(module.exports.planSandbox(contracts))}\n`);
  await rename(temporary, outfile);
}
