import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { findAnvil } from '../../server/anvil/binary';
import { EngineNetworks } from '../../server/anvil/engine-networks';
import { anvilStarter } from '../../server/anvil/process';
import { ApiError } from '../../server/api/errors';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** More than the start of an engine takes. */
const DESCRIPTORS = 24;

const LIMITS = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
/** How many this process may have. */
const [, SOFT = '', HARD = ''] = /Max open files +(\S+) +(\S+)/.exec(LIMITS) ?? [];
const setLimit = (soft: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:${HARD}`]);
};

/** Opens files until there are descriptors for so many more. @returns what closes them */
function leave(more: number): () => void {
  const open: number[] = [];
  try {
    for (;;) open.push(openSync('/dev/null', 'r'));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EMFILE');
  }
  open.splice(0, more).forEach(closeSync);
  return () => {
    open.forEach(closeSync);
  };
}

describe('the start of an engine without file descriptors', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip(); // prlimit of a running process
    setLimit(String(readdirSync('/proc/self/fd').length + 2 * DESCRIPTORS));
  });
  after(() => {
    setLimit(SOFT);
  });

  it('is refused, and takes nothing of its isolation away from those that start later', async function () {
    this.timeout(120_000);
    const home = await makeTemporaryDirectory();
    const { path: binary } = await findAnvil({ path: process.env['PATH'] });
    const unavailable: string[] = [];
    const options = { onUnavailable: (why: string) => unavailable.push(why) };
    const shared = new EngineNetworks(options);
    const isIsolated = (await shared.current()) !== undefined;
    const kinds = new Set<string>();
    for (let more = 0; more < DESCRIPTORS; more++) {
      for (const networks of [shared, new EngineNetworks(options)]) {
        const start = anvilStarter({ binary, home, network: () => networks.current() });
        const close = leave(more);
        try {
          await (await start({ chainId: 1, hardfork: 'prague' })).stop();
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
          kinds.add(error.kind);
        } finally {
          close();
          if (networks !== shared) await networks.close();
        }
      }
    }
    await shared.close();
    await removeDirectory(home);
    assert.ok(kinds.has('outOfFiles'));
    kinds.delete('engineUnavailable'); // it, or its network, ended for want of descriptors of its own
    assert.deepEqual([...kinds], ['outOfFiles']);
    if (isIsolated) assert.deepEqual(unavailable, []);
  });
});
