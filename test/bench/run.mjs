// `npm run bench [-- NAME…]`: runs the named benchmarks of this folder one after another, or all of them. They are bundled first, like the
// shipped code: calls between bundled modules have no extra cost.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

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

const names = process.argv.slice(2);
const suffix = '.bench.ts';
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(suffix))) {
  const name = file.replace(suffix, '');
  if (names.length > 0 && !names.includes(name)) continue;
  const outfile = join(output, `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, file)],
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
  const { status } = spawnSync(process.execPath, [...process.execArgv, outfile], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
