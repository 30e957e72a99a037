// `npm run bench [-- NAME…]`: runs the benchmarks of this folder one after the other; without a name: all.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const names = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.ts'));
for (const file of files) {
  if (names.length > 0 && !names.includes(file.replace('.bench.ts', ''))) continue;
  const path = `${import.meta.dirname}/${file}`;
  const args = [...process.execArgv, '--import', 'tsx', path];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
