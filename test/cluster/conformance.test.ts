import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Tests of one service, which three nodes behind HAProxy pass as well. */
const SHORT = ['http-surface', 'fork-parameters', 'fork-next-block-calls'];
const LONG = [
  ...['http-bodies', 'rest-examples', 'projects', 'changes', 'views', 'fork-address'],
  ...['fork-snapshots', 'fork-connection-turns', 'chain-explorer', 'lookup'],
  ...['simulate', 'simulate-refusals', 'decoding', 'recording', 'recording-what-if'],
  ...['fork-gas', 'fork-signing', 'fork-derived-traces', 'fork-account-clients', 'fork-clients'],
];
/** What HAProxy answers itself, and limits and caches that each node has. */
const DIFFERENT = 'malformed HTTP|limited number of streams|queries each service once';

const files = [...SHORT, ...(process.env['CLUSTER_FORM'] === 'long' ? LONG : [])];

interface Results {
  stats: { passes: number };
  failures: { fullTitle: string; err: { message?: string } }[];
}

describe('three nodes behind HAProxy', function () {
  this.timeout(600_000);

  for (const file of files) {
    it(`pass the tests of one service: ${file}`, async () => {
      const child = spawn(
        process.execPath,
        [
          ...['node_modules/mocha/bin/mocha.js', '--require', 'test/cluster/on-team.ts'],
          ...['--reporter', 'json', '--timeout', '240000', '--grep', DIFFERENT, '--invert'],
          `test/integration/${file}.test.ts`,
        ],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      const { stats, failures } = JSON.parse(output.slice(output.indexOf('{\n'))) as Results;
      const failed = failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message ?? ''}`);
      assert.deepEqual(failed, []);
      assert.ok(stats.passes > 0);
    });
  }
});
