import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Tests of one service, which three nodes behind HAProxy pass as well. */
const SHORT = ['http-surface', 'fork-parameters', 'fork-next-block-calls'];
const LONG = [
  ...['http-bodies', 'rest-examples', 'projects', 'changes', 'views', 'fork-address'],
  ...['fork-snapshots', 'fork-connection-turns', 'chain-explorer', 'lookup'],
  ...['simulate', 'simulate-refusals', 'decoding', 'recording', 'recording-again'],
  ...['recording-what-if', 'quotas', 'labels', 'chain-block', 'contract-source'],
  ...['recording-refusals', 'recording-lines', 'source-locations', 'chain-activity'],
  ...['debugger-errors', 'debugger-replaced', 'notebook-cells'],
  ...['fork-gas', 'fork-signing', 'fork-derived-traces', 'fork-account-clients', 'fork-clients'],
];
/** Suites that are not run here, by the reason. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'they use the process, its output, its files or its engines': [
    ...['cli-completion', 'cli-connection', 'doctor', 'engine-isolation', 'examples', 'mcp'],
    ...['fork-engine', 'fork-journal', 'fork-mnemonic', 'memory', 'metrics', 'readme-examples'],
    ...['service-process', 'store-damage', 'artifact-folders', 'endpoints', 'request-trace'],
    ...['recording-restart', 'recording-simulations'],
  ],
  'they have a proxy or a certificate of their own': ['reverse-proxies', 'trusted-proxies', 'tls'],
  'they count requests to the chain: each node has its cache': ['analysis-progress'],
  'HAProxy has the sockets of the clients': ['http-sockets'],
  'the number of engines is per node': ['fork-turns'],
  'they analyze by one request, which the node that is asked does as one service does': [
    ...['absurd-tokens', 'blob-price', 'blob-transactions', 'delegation-changes', 'gas-profile'],
    ...['debugger-workspace', 'deposit-analysis', 'failed-logs', 'foundry-test', 'large-trace'],
    ...['known-contracts', 'launch-suggestions', 'lying-upstream', 'main-job', 'opcode-traces'],
    ...['recording-hostile', 'recording-networks', 'replay-proof', 'self-destruction'],
    ...['debugger-verified', 'taxed-tokens'],
  ],
};
/** Tests of the others that are left out. */
const DIFFERENT = [
  ...['malformed HTTP', 'limited number of streams'], // HAProxy answers, and each node has its limit
  ...['queries each service once', 'is kept on disk over a restart'], // each node has its cache
  'after a reorganisation', // each node notices it when it asks the chain itself
  'refuse requests beyond the quota of the minute', // the start of the team has used one of them
  'are listed in order of creation', // requests of different nodes at the same time have no order
].join('|');

const files = [...SHORT, ...(process.env['CLUSTER_FORM'] === 'long' ? LONG : [])];

interface Results {
  stats: { passes: number };
  failures: { fullTitle: string; err: { message?: string } }[];
}

describe('three nodes behind HAProxy', function () {
  this.timeout(600_000);

  it('pass every suite that starts a service or forks, or leave it out for a reason', async () => {
    const folder = 'test/integration';
    const suites: string[] = [];
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.test.ts')) continue;
      const source = await readFile(join(folder, name), 'utf8');
      if (/startService\(|useForkAddress\(/.test(source)) suites.push(name.replace('.test.ts', ''));
    }
    const known = [...SHORT, ...LONG, ...Object.values(LEFT_OUT).flat()];
    assert.deepEqual(known.sort(), suites.sort());
  });

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
