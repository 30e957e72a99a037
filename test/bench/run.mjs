// `npm run bench [-- NAME…]`: runs the named benchmarks of this folder one after another, or all of them. They are bundled first, like the
// shipped code: calls between bundled modules have no extra cost.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { NODE_ARGUMENTS } from '../../extension/service/service-process';
import { nearest } from '../../server/api/nearest';
import { checkNames, readArguments, runProgram } from '../support/run/arguments.mjs';

const output = join(import.meta.dirname, '../output/bench');

/** Lets bundled modules find the files next to their source. */
const ownDirectories = {
  name: 'own-directories',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/](server|extension|test)[\\/].*\.m?ts$|compile\.mjs$/ },
      async ({ path }) => {
        const places = {
          __filename: path,
          __dirname: dirname(path),
          importMetaUrl: pathToFileURL(path).href,
        };
        const constants = Object.entries(places).map(
          ([name, place]) => `const ${name} = ${JSON.stringify(place)};`,
        );
        return { loader: 'ts', contents: constants.join('') + (await readFile(path, 'utf8')) };
      },
    );
  },
};

const SUFFIX = '.bench.ts';

await runProgram('npm run bench', async () => {
  const { positionals: chosen } = readArguments(process.argv.slice(2), {}, nearest);
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.replace(SUFFIX, ''));
  checkNames('benchmark', chosen, known, nearest);
  for (const name of known) {
    if (chosen.length === 0 || chosen.includes(name)) await run(name);
  }
});

async function run(name) {
  const outfile = join(output, `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}${SUFFIX}`)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { 'import.meta.url': 'importMetaUrl' },
    logLevel: 'warning',
    plugins: [ownDirectories],
  });
  const { status } = spawnSync(process.execPath, [...NODE_ARGUMENTS, outfile], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
