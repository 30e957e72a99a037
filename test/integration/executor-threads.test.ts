import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hex } from '../../server/api/primitives';
import { neverAborted } from '../../server/kernel/async/never-aborted';
import { RpcError } from '../../server/evm/forms/json-rpc';
import { toWord } from '../../server/evm/forms/quantity';
import type { OpenBlock } from '../../server/execution/prefix/block-executor';
import { ExecutorThread } from '../../server/execution/workers/executor-thread';
import { ExecutorThreads } from '../../server/execution/workers/executor-threads';
import { ThreadExecutor } from '../../server/execution/workers/thread-executor';
import { builtFile } from '../../server/kernel/files/built-file';
import { assemble } from '../fidelity/assembler';
import { nodeWith, OUTER, placed, signedCall } from '../support/placed-block';
import type { Handlers, ScriptedRpc } from '../support/scripted-rpc';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const MIB = 1024 * 1024;
/** JUMPDEST PUSH1 0 JUMP: 12 gas a round. */
const LOOP: Hex = '0x5b600056';
/** A modulo exponentiation with numbers of 1,024 bytes: 45,000,000 gas (EIP-2565) by one call of a precompiled contract. */
const MODEXP = assemble(
  '1024 0 mstore 1024 32 mstore 1024 64 mstore 255 96 mstore8 255 1120 mstore8 255 2144 mstore8 3 3167 mstore8 ' +
    '0 0 3168 0 5 gas staticcall pop',
);
/** A round of the loop logs 32 bytes: about 650 gas. */
const LOGS: Hex = '0x5b60206000a0600056';
/** As long as there is gas, a round of the loop increases the counter in slot 0, and writes it to the slot of this number. */
const WRITES = assemble(
  ':loop 0 sload 1 add dup1 0 sstore dup1 dup1 sstore pop gas 60000 lt @loop jumpi',
);

const node = (code: Hex, more: Handlers = {}): ScriptedRpc => nodeWith({ [OUTER]: code }, more);

describe('threads that execute blocks', function () {
  this.timeout(120_000);
  const executor = new ThreadExecutor();

  const opened: OpenBlock[] = [];
  async function begin(
    rpc = node(LOOP),
    signal = neverAborted(),
    by = executor,
  ): Promise<OpenBlock> {
    const open = (await by.begin(placed(rpc), signal))!;
    opened.push(open);
    return open;
  }
  afterEach(() => {
    for (const open of opened.splice(0)) open.close();
  });

  const withLimits = (limits: { memory?: number; time?: number }): ThreadExecutor => {
    const all = { memory: 768 * MIB, time: 120_000, ...limits };
    const start = (): ExecutorThread => new ExecutorThread(builtFile('executor.js')!, all);
    return new ThreadExecutor(new ExecutorThreads(start));
  };

  /** Turns of the event loop until the work is done. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    const over = new AbortController();
    const watched = work.finally(() => {
      over.abort();
    });
    let turns = 0;
    for (; !over.signal.aborted; turns++) await nextTurn();
    await watched;
    return turns;
  }

  it('leave the event loop free during long loops and one long instruction', async () => {
    for (const [code, gas] of [
      [LOOP, 30_000_000n],
      [MODEXP, 60_000_000n],
    ] as const) {
      const open = await begin(node(code));
      const turns = await turnsDuring(open.execute(await signedCall(OUTER, gas)));
      assert.ok(turns > 100, `${turns} turns`);
    }
  });

  it('hand over large results, which are read in many turns', async () => {
    const open = await begin(node(LOGS));
    const work = open.record(await signedCall(OUTER, 30_000_000n));
    const turns = await turnsDuring(work);
    const { receipt, calls } = await work;
    // The transaction is out of gas, and the receipt without its logs.
    assert.deepEqual([receipt.status, receipt.logs.length], ['0x0', 0]);
    const { logs } = calls.details as { logs: unknown[] };
    assert.equal(logs.length, 46_192);
    assert.ok(turns > 100, `${turns} turns`);
  });

  it('end at once when the execution is cancelled, and another one begins', async () => {
    const controller = new AbortController();
    const open = await begin(node(LOOP), controller.signal);
    const endless = open.execute(await signedCall(OUTER, 10n ** 12n));
    const reason = new Error('cancelled');
    setImmediate(() => {
      controller.abort(reason);
    });
    await assert.rejects(endless, reason);
    await assert.rejects(open.execute(await signedCall(OUTER, 100_000n)), reason);
    const next = await begin();
    const { status } = await next.execute(await signedCall(OUTER, 100_000n));
    assert.equal(status, '0x0');
  });

  it('report that their memory is full', async () => {
    const open = await begin(node(LOGS), neverAborted(), withLimits({ memory: 48 * MIB }));
    await assert.rejects(open.record(await signedCall(OUTER, 1_000_000_000n)), {
      name: 'ExecutorEnded',
      message: 'it needs more than 48 MiB of memory',
    });
  });

  it('report that their time is over', async () => {
    const limits = { memory: 768 * MIB, time: 120_000 };
    const threads = new ExecutorThreads(
      () => new ExecutorThread(builtFile('executor.js')!, limits),
    );
    const own = new ThreadExecutor(threads);
    const first = await begin(node(LOOP), neverAborted(), own);
    first.close(); // its thread has started, which may take longer than the limit
    limits.time = 1_000;
    const open = await begin(node(LOOP), neverAborted(), own);
    await assert.rejects(open.execute(await signedCall(OUTER, 10n ** 12n)), {
      name: 'ExecutorEnded',
      message: 'a part of it takes longer than 1 s',
    });
  });

  it('report that they ended', async () => {
    const folder = await makeTemporaryDirectory();
    const file = join(folder, 'ending.js');
    await writeFile(
      file,
      "require('worker_threads').parentPort.on('message', () => process.exit(3))",
    );
    const ending = new ThreadExecutor(new ExecutorThreads(() => new ExecutorThread(file)));
    await assert.rejects(begin(node(LOOP), neverAborted(), ending), {
      name: 'ExecutorEnded',
      message: 'its thread ended with exit code 3',
    });
    await removeDirectory(folder);
  });

  it('fail with the errors of the node', async () => {
    const error = new RpcError(-32_000, 'missing trie node');
    const eth_getStorageAt = (): never => {
      throw error;
    };
    const open = await begin(node(assemble('1 sload'), { eth_getStorageAt }));
    await assert.rejects(open.execute(await signedCall(OUTER, 100_000n)), (caught) => {
      assert.equal(caught, error);
      return true;
    });
  });

  it('are used again, and no more of them run than allowed', async () => {
    let started = 0;
    const threads = new ExecutorThreads(() => {
      started++;
      return new ExecutorThread(builtFile('executor.js')!);
    }, 1);
    const one = new ThreadExecutor(threads);
    const order: string[] = [];
    const first = await begin(node(LOOP), neverAborted(), one);
    const second = begin(node(LOOP), neverAborted(), one).then((open) => {
      order.push('second began');
      return open;
    });
    const cancelled = new AbortController();
    const third = begin(node(LOOP), cancelled.signal, one);
    cancelled.abort(new Error('no longer'));
    await assert.rejects(third, { message: 'no longer' });
    await first.execute(await signedCall(OUTER, 100_000n));
    order.push('first ends');
    first.close();
    (await second).close();
    assert.deepEqual([started, order], [1, ['first ends', 'second began']]);
  });

  it('hand over a large state, and compare it with the chain', async () => {
    const open = await begin(node(WRITES));
    const { status } = await open.execute(await signedCall(OUTER, 400_000_000n));
    assert.equal(status, '0x1');
    const work = open.loaded();
    const turns = await turnsDuring(work);
    const { storage } = (await work).get(OUTER)!;
    const last = storage.get(toWord(0))!;
    assert.deepEqual([storage.size, storage.get(last)], [Number(last) + 1, last]);
    assert.ok(turns > 100, `${turns} turns`);
    assert.match(
      (await open.difference())!,
      /^the balance of 0x\w{40} is \d+ by the replay of the block, 1000000000000000000 on the chain$/,
    );
  });
});
