import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import type { Recording, Variables } from '../../server/api/recording';
import type { Found } from '../../server/api/recording-search';
import type { Writers } from '../../server/api/recording-writers';
import { findAnvil } from '../../server/chains/engine/binary';
import { Reader } from '../support/case-answers';
import { copyBundles } from '../support/copied-bundles';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** A compilation may take long on a busy machine. */
const COMPILE_MS = 240_000;
const SWAP = sandboxHash('swap-two-hops');

describe('unoptimized builds in a case', function () {
  this.timeout(COMPILE_MS);
  let folder: string;
  let expected: string[];

  /** What the debugger reads at a line of the pool. */
  async function answersOf(service: TestService, chain: string): Promise<string[]> {
    const reader = new Reader(service, chain);
    const base = `/v1/explorer/<chain>/transaction/${SWAP}/recording`;
    const body = {
      from: 0,
      direction: 'forwards',
      mode: 'continue',
      lines: [{ id: 1, file: 'Pool.sol', line: 62 }],
    };
    const found = await reader.read(`${base}/find?build=unoptimized`, body);
    const { step } = JSON.parse(found) as Found;
    const variables = `${base}/step/${step}/variables?build=unoptimized`;
    const writers = `${base}/writers?build=unoptimized&step=${step}&variable=amountIn`;
    const paths = [
      `${base}?build=unoptimized`,
      `${variables}&scope=locals`,
      `${variables}&scope=state`,
      `${writers}&access=readWrite`,
    ];
    return [found, ...(await Promise.all(paths.map((path) => reader.read(path))))];
  }
  const fileOf = (name: string): string => join(folder, `${name}.forklens`);
  const write = async (service: TestService, name: string, analysis: object): Promise<void> => {
    const body = { file: fileOf(name), analyses: [analysis] };
    const { message } = await service.request<WrittenCase>('POST', '/v1/cases', { body });
    assert.equal(message, 'OK');
  };
  const open = async (service: TestService, name: string): Promise<OpenCaseView> => {
    const body = { file: fileOf(name) };
    const { message, data } = await service.request<OpenCaseView>('POST', '/v1/case', { body });
    assert.equal(message, 'OK');
    return data;
  };

  before(async () => {
    folder = await makeTemporaryDirectory();
    const online = await startService({ counted: true, args: ['--sandbox'] });
    try {
      await write(online, 'swap', { chain: 'sandbox', transaction: SWAP });
      expected = await answersOf(online, 'sandbox');
    } finally {
      await online.stop();
    }
  });
  after(() => removeDirectory(folder));

  it('have the same steps and locals as on the chain, byte for byte', async () => {
    const offline = await startService({ counted: true });
    try {
      const { chain } = await open(offline, 'swap');
      const found = await answersOf(offline, chain);
      assert.deepEqual(found, expected);
      const { build, twin } = JSON.parse(found[1]!) as Recording;
      assert.deepEqual([build, twin?.same, twin?.of], ['unoptimized', 41, 41]);
      const { variables } = JSON.parse(found[2]!) as Variables;
      assert.deepEqual(
        variables.map(({ name }) => name),
        ['tokenIn', 'to', 'amountOut', 'zeroIn', 'amountIn'],
      );
      assert.equal(variables.at(-1)?.value, '1000000000000000000000');
      const { writers } = JSON.parse(found[4]!) as Writers;
      assert.deepEqual(
        writers.map(({ access, after, place }) => [access, after, place?.startLine]),
        [
          ['write', '1000000000000000000000', 60],
          ['read', undefined, 61],
          ['read', undefined, 62],
          ['read', undefined, 65],
        ],
      );
    } finally {
      await offline.stop();
    }
  });

  it('need the compiler, which the debugger names', async () => {
    const home = await copyBundles();
    const { path: anvilPath } = await findAnvil({ path: process.env['PATH'] });
    // No folder above this one has packages of solc.
    const alone = await startService({ root: home, config: { engine: { anvilPath } } });
    const debug = await DebugSession.open(alone);
    const offered = debug.waitForEvent('forklens/missingCompilers');
    try {
      const { chain } = await open(alone, 'swap');
      await debug.begin({ chain, hash: SWAP, build: 'unoptimized' });
      const { body } = (await offered) as {
        body?: { missing: { version: string; contracts: string[] }[] };
      };
      assert.deepEqual(
        body?.missing.map(({ version }) => version),
        ['0.8.30'],
      );
      assert.ok(body.missing[0]!.contracts.includes('Pool'));
    } finally {
      await debug.close();
      await alone.stop();
      await removeDirectory(home);
    }
  });
});
