import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallFrame } from '../../../server/analysis/call-frame';
import type { TransactionTrace } from '../../../server/analysis/ports';
import { CachedTraces } from '../../../server/execution/cached-traces';
import { TraceFiles } from '../../../server/store/cache/trace-files';
import { account, frame, log, mined as minedAs, network, word } from '../../support/analysis';
import { ScriptedRpc } from '../../support/scripted-rpc';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const NEVER = new AbortController().signal;
const root: CallFrame = frame({
  value: 5n,
  items: [
    log(account(1), [word(1)], '0x01'),
    frame({
      type: 'CREATE',
      to: null,
      error: 'out of gas',
      items: [frame({ type: 'STATICCALL' }), log(account(2), [])],
    }),
    frame({ revertReason: 'no', output: '0x08' }),
  ],
});
/** The receipt contains the log that was not reverted. */
const mined: typeof minedAs = (facts) =>
  minedAs({
    receipt: { logs: [{ address: account(1), topics: [word(1)], data: '0x01' }] },
    ...facts,
  });
const trace: TransactionTrace = {
  root,
  method: 'replay',
  reportedGas: 21_000,
  applied: 3,
  proof: { wholePrefix: true, state: 'equal', corrected: 'call 0 had another input' },
  state: { native: new Map([[account(1), -7n]]), before: {}, after: { [account(1)]: {} } },
};

/** These tests need no proof. */
const prove = (): Promise<TransactionTrace> => Promise.reject(new Error('no proof is expected'));

describe('CachedTraces', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await makeTemporaryDirectory(), 'traces');
  });
  afterEach(() => removeDirectory(join(folder, '..')));

  /** A chain whose newest safe block is 100, the block of the transaction. */
  const chain = (safe = '0x64') =>
    network(new ScriptedRpc({ eth_getBlockByNumber: () => ({ number: safe }) }), {
      replayable: true,
    });
  function keeper(maxBytes?: number) {
    const traced: string[] = [];
    const files = new TraceFiles({ folder, ...(maxBytes === undefined ? {} : { maxBytes }) });
    const source = new CachedTraces(
      {
        trace: (on) => {
          traced.push(on.key);
          return Promise.resolve(trace);
        },
      },
      { prove },
      files,
    );
    return { source, traced, files };
  }
  const kept = async () => (await readdir(folder).catch(() => [])).length;

  it('returns the whole trace, also after a restart', async () => {
    const first = keeper();
    await first.source.trace(chain(), mined(), NEVER);
    await first.files.settled();
    const second = keeper();
    assert.deepEqual(await second.source.trace(chain(), mined(), NEVER), trace);
    assert.deepEqual(second.traced, []);
  });

  it('returns a trace that is not written yet', async () => {
    const { source, traced, files } = keeper();
    await source.trace(chain(), mined(), NEVER);
    assert.equal(await source.trace(chain(), mined(), NEVER), trace);
    assert.deepEqual([traced.length, await kept()], [1, 0]);
    await files.settled();
    assert.equal(await kept(), 1);
  });

  it('distinguishes chains, transactions and blocks', async () => {
    const { source, traced, files } = keeper();
    await source.trace(chain(), mined(), NEVER);
    await files.settled();
    await source.trace({ ...chain(), key: 'other' }, mined(), NEVER);
    await source.trace(chain(), mined({ block: { hash: word(0xb2) } }), NEVER);
    await source.trace(chain(), mined({ transaction: { hash: word(0x8) } }), NEVER);
    assert.equal(traced.length, 4);
    await files.settled();
    assert.equal(await kept(), 4);
  });

  it('keeps no traces of blocks above the safe one, of chains without a safe block, of forks, or that differ from the receipt', async () => {
    const { source, files } = keeper();
    await source.trace(chain('0x63'), mined(), NEVER);
    await source.trace(network(new ScriptedRpc({}), { replayable: true }), mined(), NEVER);
    await source.trace({ ...chain(), replayable: false }, mined(), NEVER);
    await source.trace(chain(), mined({ receipt: { status: '0x0' } }), NEVER);
    await files.settled();
    assert.equal(await kept(), 0);
  });

  it('ignores and removes damaged files', async () => {
    const { source, traced, files } = keeper();
    await source.trace(chain(), mined(), NEVER);
    await files.settled();
    const path = join(folder, (await readdir(folder))[0]!);
    const whole = await readFile(path);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(40) ^ 0xff, 40);
    for (const content of [whole.subarray(0, whole.length - 20), damaged, Buffer.alloc(0)]) {
      await writeFile(path, content);
      traced.length = 0;
      assert.deepEqual(await source.trace(chain(), mined(), NEVER), trace);
      assert.equal(traced.length, 1);
      await files.settled();
      assert.deepEqual(await source.trace(chain(), mined(), NEVER), trace);
      assert.equal(traced.length, 1);
    }
  });

  it('removes the least recently read traces', async () => {
    const probe = keeper();
    await probe.source.trace(chain(), mined(), NEVER);
    await probe.files.settled();
    const size = (await readFile(join(folder, (await readdir(folder))[0]!))).length;
    const { source, traced, files } = keeper(size * 3.5);
    const nth = (n: number) => mined({ transaction: { hash: word(n) } });
    for (const n of [1, 2]) await source.trace(chain(), nth(n), NEVER);
    await files.settled();
    const long = new Date(0);
    for (const name of await readdir(folder)) await utimes(join(folder, name), long, long);
    await source.trace(chain(), nth(1), NEVER); // read again
    await source.trace(chain(), nth(3), NEVER);
    await files.settled();
    assert.equal(await kept(), 2);
    traced.length = 0;
    for (const n of [1, 3, 2]) await source.trace(chain(), nth(n), NEVER);
    assert.equal(traced.length, 1);
    await files.settled();
  });

  it('warns if the folder cannot be written, and continues', async () => {
    await writeFile(folder, 'a file in its place');
    const warnings: string[] = [];
    const files = new TraceFiles({ folder, warn: (_, message) => warnings.push(message) });
    const source = new CachedTraces({ trace: () => Promise.resolve(trace) }, { prove }, files);
    assert.equal(await source.trace(chain(), mined(), NEVER), trace);
    await files.settled();
    assert.deepEqual(warnings, ['a trace cannot be stored on disk']);
  });
});
