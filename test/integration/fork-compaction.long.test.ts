import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '../support/json-rpc';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { BOB } from './fork-upstream';

/** Enough for the reverted entries to outweigh all others. */
const ROUNDS = 230;

describe('a fork with many reverts', () => {
  const on = useFork();

  it('keeps only the entries that lead to its state and its snapshots', async () => {
    const { forkId } = on.fork;
    const balance = (of: string) => call(on.rpc, 'eth_getBalance', of, 'latest');
    const state = async () => ({
      counter: await on.counter(),
      balance: await balance(BOB.address),
      head: await call(on.rpc, 'eth_getBlockByNumber', 'latest', false),
    });
    const first = await on.increment();
    const { snapshotId } = await on.service.forks.keepSnapshot(PROJECT, forkId, 'kept');
    const kept = await state();
    const taken = await call(on.rpc, 'evm_snapshot');
    const second = await on.increment();
    for (let round = 1; round <= ROUNDS; round++) {
      const snapshot = await call(on.rpc, 'evm_snapshot');
      await call(on.rpc, 'anvil_setBalance', BOB.address, `0x${round.toString(16)}`);
      await call(on.rpc, 'anvil_setNonce', BOB.address, `0x${round.toString(16)}`);
      await call(on.rpc, 'anvil_setBalance', BOB.address, '0x0');
      assert.equal(await call(on.rpc, 'evm_revert', snapshot), true);
    }
    const now = await state();
    const trace = await call<object>(on.rpc, 'debug_traceTransaction', second, {
      tracer: 'callTracer',
    });
    const journal = await readFile(join(on.engines.home, 'forks', `${forkId}.journal`), 'utf8');
    const entries = journal.trimEnd().split('\n').length;
    // Without compaction there were five entries per round; up to 512 superfluous ones are accepted.
    assert.ok(entries < 600, `${entries} entries`);

    await on.service.engine.stop();
    assert.deepEqual(await state(), now);
    assert.deepEqual(
      await call(on.rpc, 'debug_traceTransaction', second, { tracer: 'callTracer' }),
      trace,
    );
    assert.equal(await call(on.rpc, 'evm_revert', taken), true);
    assert.deepEqual(await state(), kept);
    await on.increment();
    await on.service.forks.revertSnapshot(PROJECT, forkId, snapshotId);
    assert.deepEqual(await state(), kept);
    assert.equal((await on.receiptOf(first)).status, '0x1');
  });
});
