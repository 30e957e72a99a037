// `npm run test:stress [-- CREATIONS]`: creates cold forks inside busy blocks (200 by default), with parallel cold reads by several
// clients. Engines run on the cores of this process: `taskset -c 0 npm run test:stress`.
import { availableParallelism } from 'node:os';
import { nearest } from '../../server/api/nearest';
import { blobBlock, randomBlock, stress } from '../support/engine-stress';
import { readArguments, runProgram, UsageError, wholeNumber } from '../support/run/arguments.mjs';

const LATENCIES = [0, 50];
/** Threads of an engine: undefined is one per core; the others are those of larger machines. */
const WORKERS = [undefined, 4, 16];

/** @throws UsageError */
function readCreations(): number {
  const { positionals } = readArguments(process.argv.slice(2), {}, nearest);
  const [text = '200', ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`unexpected argument ${more[0]}; accepted: one number, CREATIONS`);
  return wholeNumber('CREATIONS', text, 1, 1_000_000);
}

async function main(): Promise<void> {
  const creations = readCreations();
  const rows: object[] = [];
  let isBad = false;
  const rounds = LATENCIES.length * WORKERS.length * 2;
  for (const open of [blobBlock, randomBlock]) {
    const block = await open();
    for (const latencyMs of LATENCIES) {
      for (const workers of WORKERS) {
        const { hung, failed, slowestMs } = await stress(block, {
          creations: Math.ceil(creations / rounds),
          latencyMs,
          workers,
        });
        isBad ||= hung.length + failed.length > 0;
        for (const one of [...hung, ...failed]) console.error(one);
        rows.push({
          block: block.name,
          'upstream, ms away': latencyMs,
          workers: workers ?? `${availableParallelism()} (cores)`,
          creations: Math.ceil(creations / rounds),
          hung: hung.length,
          failed: failed.length,
          'slowest, s': Number((slowestMs / 1000).toFixed(1)),
        });
        console.table(rows.slice(-1));
      }
    }
    await block.close();
  }
  console.table(rows);
  process.exit(isBad ? 1 : 0);
}

void runProgram('npm run test:stress', main);
