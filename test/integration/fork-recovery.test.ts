import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnginePoolOptions } from '../../server/forks/life/engine-pool';
import type { ForkRecord } from '../../server/forks/life/fork-record';
import { eventually } from '../support/eventually';
import { FullDisk } from '../support/full-disk';
import { call, refusal, reply } from '../support/json-rpc';
import { isKind, PROJECT, type TestForks } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

describe('a fork in trouble', () => {
  const on = useFork();
  let others: TestForks[];
  beforeEach(() => (others = []));
  afterEach(() => Promise.all(others.map((one) => one.close())));

  async function later(options: Parameters<typeof on.another>[1] = {}): Promise<TestForks> {
    const service = await on.another({}, { records: on.service.records, ...options });
    others.push(service);
    return service;
  }
  const journalOf = (forkId: string): string => join(on.engines.home, 'forks', `${forkId}.journal`);

  it('loses nothing when the disk is full, and works again once it has space', async () => {
    const disk = new FullDisk();
    await on.service.forks.stop();
    const service = await later({ openFile: disk.open });
    const { rpc, forkId } = await service.forks.get(PROJECT, on.fork.forkId);
    const send = { from: ALICE.address, to: COUNTER };
    const hash = await call(rpc, 'eth_sendTransaction', send);
    disk.isFull = true;
    const error = await refusal(rpc, 'eth_sendTransaction', send);
    assert.deepEqual(error, {
      code: -32002,
      message: 'there is no space left for the data of the service',
    });
    await assert.rejects(
      service.forks.keepSnapshot(PROJECT, forkId, 'full'),
      isKind('storageFull', /no space left/),
    );
    await assert.rejects(service.create({ height: '0x3' }), isKind('storageFull', /no space/));
    // Reads work, and the rejected changes have no effect.
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x4');
    assert.equal(
      await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'),
      `0x${'2'.padStart(64, '0')}`,
    );
    disk.isFull = false;
    await call(rpc, 'eth_sendTransaction', send);
    await service.forks.stop();
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x5');
    assert.ok(await call(rpc, 'eth_getTransactionReceipt', hash));
    assert.deepEqual(
      (await service.forks.snapshots(PROJECT, forkId)).map(({ name }) => name),
      ['default'],
    );
  });

  it('refuses reverts and snapshots on a full disk', async () => {
    const disk = new FullDisk();
    await on.service.forks.stop();
    const service = await later({ openFile: disk.open });
    const { rpc } = await service.forks.get(PROJECT, on.fork.forkId);
    const snapshot = await call(rpc, 'evm_snapshot');
    const head = await call(rpc, 'eth_blockNumber');
    const hash = await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    disk.isFull = true;
    assert.equal((await refusal(rpc, 'evm_revert', snapshot)).code, -32002);
    assert.ok(await call(rpc, 'eth_getTransactionReceipt', hash));
    assert.equal((await refusal(rpc, 'evm_snapshot')).code, -32002);
    disk.isFull = false;
    assert.equal(await call(rpc, 'evm_snapshot'), `0x${(Number(snapshot) + 1).toString(16)}`);
    assert.equal(await call(rpc, 'evm_revert', snapshot), true);
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
    await service.forks.stop();
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
  });

  it('exists with its state if its deletion could not be written', async () => {
    await on.service.forks.stop();
    const records = new (class extends Map<string, ForkRecord> {
      isFull = true;
      override delete(id: string): boolean {
        if (this.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        return super.delete(id);
      }
    })(on.service.records);
    const service = await later({ records });
    const { rpc, forkId } = await service.forks.get(PROJECT, on.fork.forkId);
    const head = await call(rpc, 'eth_blockNumber');
    await assert.rejects(service.forks.delete(PROJECT, forkId), { code: 'ENOSPC' });
    assert.equal((await service.forks.get(PROJECT, forkId)).state, 'sleeping');
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
    records.isFull = false;
    await service.forks.delete(PROJECT, forkId);
    assert.equal((await refusal(rpc, 'eth_blockNumber')).code, -32001);
  });

  it('whose journal is damaged reports it and does not affect others, until it is repaired', async () => {
    const healthy = await on.service.create({ height: '0x3' });
    await on.increment();
    await on.service.forks.stop();
    const file = journalOf(on.fork.forkId);
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.replace('eth_sendTransaction', 'eth_sendTransactioN'));
    const service = await later();
    await service.forks.recover();
    assert.deepEqual(service.warnings, ['the journal of a fork cannot be used']);
    const damaged = await service.forks.get(PROJECT, on.fork.forkId);
    assert.equal(damaged.state, 'failed');
    assert.match(
      damaged.failure ?? '',
      /damaged at line 2: replace the file with a backup, or delete the fork$/,
    );
    const error = await refusal(damaged.rpc, 'eth_blockNumber');
    assert.deepEqual([error.code, error.message], [-32002, damaged.failure]);
    assert.equal(service.started.length, 0, 'no engine is started without need');
    const { rpc } = await service.forks.get(PROJECT, healthy.forkId);
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x3');
    await writeFile(file, whole);
    assert.equal(await call(damaged.rpc, 'eth_blockNumber'), '0x4');
    const again = await service.forks.get(PROJECT, on.fork.forkId);
    assert.deepEqual([again.state, again.failure], ['running', undefined]);
  });

  it('whose journal is of a newer version can be deleted, or used by that version', async () => {
    await on.service.forks.stop();
    const file = journalOf(on.fork.forkId);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"version":2', '"version":9'));
    const service = await later();
    const { rpc } = await service.forks.get(PROJECT, on.fork.forkId);
    assert.match((await refusal(rpc, 'eth_blockNumber')).message, /has version 9, .*: use a newer/);
    assert.match(await readFile(file, 'utf8'), /"version":9/);
    await service.forks.delete(PROJECT, on.fork.forkId);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('is counted, and its unfinished creation or deletion completed, after a restart', async () => {
    await on.increment();
    await on.increment();
    await on.service.forks.stop();
    const record = on.service.records.get(on.fork.forkId)!;
    on.service.records.set(on.fork.forkId, { ...record, counted: 1 });
    const gone = await on.service.create({ height: '0x3' });
    await on.service.forks.stop();
    on.service.records.delete(gone.forkId);
    await rename(journalOf(gone.forkId), journalOf(gone.forkId).replace('.journal', '.deleted'));
    const service = await later();
    await service.forks.recover();
    assert.deepEqual(service.counted, [[PROJECT, 1]]);
    await assert.rejects(readFile(journalOf(gone.forkId)), { code: 'ENOENT' });
    assert.deepEqual(service.warnings, []);
  });

  it('is reported if its journal was cut between two entries', async () => {
    await on.increment();
    await on.increment();
    await on.service.forks.stop();
    const record = on.service.records.get(on.fork.forkId)!;
    on.service.records.set(on.fork.forkId, { ...record, counted: 2 });
    const file = journalOf(on.fork.forkId);
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.replace(/[^\n]*\n$/, ''));
    const service = await later();
    await service.forks.recover();
    assert.deepEqual(service.warnings, ['the journal of a fork lacks its last transactions']);
    const { rpc } = await service.forks.get(PROJECT, on.fork.forkId);
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x4');
  });

  it('that is deleted during requests answers that it does not exist, and ends', async () => {
    const requests = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? reply(on.rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER })
        : reply(on.rpc, 'debug_traceCall', { to: COUNTER }, 'latest', { tracer: 'callTracer' }),
    );
    const [first] = await Promise.all([
      Promise.any(requests),
      on.service.forks.delete(PROJECT, on.fork.forkId),
    ]);
    assert.ok(first);
    await on.service.engine.exited;
    for (const { result, error } of await Promise.all(requests)) {
      if (result !== undefined) continue;
      assert.ok([-32001, -32002].includes(error?.code ?? 0), error?.message);
      assert.match(error?.message ?? '', /does not exist|no fork at this address|engine ended/);
    }
    assert.equal((await fetch(on.rpc, { method: 'POST', body: '{}' })).status, 404);
  });

  it('that is deleted while it wakes does not come back', async () => {
    await on.service.forks.stop();
    const waking = reply(on.rpc, 'eth_blockNumber');
    await on.service.forks.delete(PROJECT, on.fork.forkId);
    const { error } = await waking;
    assert.ok(error === undefined || [-32001, -32002, -32603].includes(error.code));
    await Promise.all(on.service.started.map(({ engine }) => engine.exited));
    assert.equal(on.service.records.has(on.fork.forkId), false);
  });

  describe('with more forks than running engines allowed', () => {
    const IDLE_MS = 900_000;

    /** Allows only one engine. Idle forks sleep when the test fires the timer. */
    async function narrow() {
      let skipped = 0;
      let sweep: (() => void) | undefined;
      const engines: Partial<EnginePoolOptions> = {
        maxRunning: 1,
        idleMs: IDLE_MS,
        sliceMs: 50,
        now: () => performance.now() + skipped,
        after: (ms, callback) => {
          if (ms > IDLE_MS / 2) {
            sweep = callback;
            return () => undefined;
          }
          const timer = setTimeout(callback, ms);
          return () => {
            clearTimeout(timer);
          };
        },
      };
      const service = await later({ engines });
      return {
        service,
        idle: () => {
          skipped += IDLE_MS;
          sweep?.();
        },
      };
    }

    it('waits for its turn, loses nothing, and sleeps when it is idle', async () => {
      const second = await on.service.create({ height: '0x3' });
      await on.service.forks.stop();
      const { service, idle } = await narrow();
      const forks = await Promise.all(
        [on.fork, second].map(({ forkId }) => service.forks.get(PROJECT, forkId)),
      );
      const send = ({ rpc }: { rpc: string }) =>
        call(rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER });
      await Promise.all(forks.flatMap((fork) => [send(fork), send(fork), send(fork)]));
      for (const { rpc } of forks) assert.equal(await call(rpc, 'eth_blockNumber'), '0x6');
      const states = async () =>
        (await service.forks.list(PROJECT)).map(({ state }) => state).sort();
      assert.deepEqual(await states(), ['running', 'sleeping']);
      idle();
      await eventually(async () => {
        assert.deepEqual(await states(), ['sleeping', 'sleeping']);
      });
      await service.engine.exited;
    });
  });
});
