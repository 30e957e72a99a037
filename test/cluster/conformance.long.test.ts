import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describeWith } from '../support/programs';
import { LONG, SHORT } from './conformance-suites';

/** Tests of the others that are left out. */
const DIFFERENT = [
  'malformed HTTP',
  'limited number of streams', // HAProxy answers, and each node has its limit
  'queries each service once',
  'is kept on disk over a restart', // each node has its cache
  'after a reorganisation', // each node notices it when it asks the chain itself
  'refuse requests beyond the quota of the minute', // the start of the team has used one of them
  'are listed in order of creation', // requests of different nodes at the same time have no order
].join('|');

const files = [...SHORT, ...(process.env['CLUSTER_FORM'] === 'long' ? LONG : [])];

interface Results {
  stats: { passes: number };
  failures: { fullTitle: string; err: { message?: string } }[];
}

describeWith(['initdb', 'haproxy'], 'three nodes behind HAProxy', function () {
  this.timeout(600_000);

  for (const file of files) {
    it(`pass the tests of one service: ${file}`, async () => {
      const child = spawn(
        process.execPath,
        [
          'node_modules/mocha/bin/mocha.js',
          '--require',
          'test/cluster/on-team.ts',
          '--reporter',
          'json',
          '--timeout',
          '240000',
          '--grep',
          DIFFERENT,
          '--invert',
          `test/integration/${file}?(.long).test.ts`,
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
