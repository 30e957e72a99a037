import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiError } from '../../server/api/errors';
import type { StartEngine } from '../../server/evm/forms/engine';
import type { RpcBlockHeader, RpcReceipt } from '../../server/evm/forms/types';
import { startSandbox, type Sandbox } from '../../server/chains/sandbox/sandbox';
import { SANDBOX_FIXTURES, startTestSandbox, UPDATE_GOLDENS } from '../support/sandbox';

/** A frame of go-ethereum's callTracer. */
interface Frame {
  type: string;
  error?: string;
  output?: string;
  calls?: Frame[];
  logs?: unknown[];
}

const HASHES = join(SANDBOX_FIXTURES, 'hashes.json');

const frames = (frame: Frame): Frame[] => [frame, ...(frame.calls ?? []).flatMap(frames)];
const depth = (frame: Frame): number => 1 + Math.max(0, ...(frame.calls ?? []).map(depth));

describe('the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.stop());

  const receiptOf = async (id: string) => {
    const { hash } = sandbox.story.find((entry) => entry.id === id)!;
    return (await sandbox.engine.rpc.request('eth_getTransactionReceipt', [hash])) as RpcReceipt;
  };
  const traceOf = async (id: string) => {
    const { hash } = sandbox.story.find((entry) => entry.id === id)!;
    const options = { tracer: 'callTracer', tracerConfig: { withLog: true } };
    return (await sandbox.engine.rpc.request('debug_traceTransaction', [hash, options])) as Frame;
  };
  const blockOf = async (tag: string) =>
    (await sandbox.engine.rpc.request('eth_getBlockByNumber', [tag, false])) as RpcBlockHeader;

  it('has the same hashes on every machine', async () => {
    const other = await startTestSandbox();
    try {
      const [one, two] = [await hashesOf(sandbox), await hashesOf(other)];
      assert.deepEqual(two, one);
      if (UPDATE_GOLDENS) await writeFile(HASHES, `${JSON.stringify(one, null, 2)}\n`);
      assert.deepEqual(one, JSON.parse(await readFile(HASHES, 'utf8')));
    } finally {
      await other.stop();
    }
  });

  it('describes itself as a chain', async () => {
    const { chain, engine } = sandbox;
    assert.equal(chain.slug, 'sandbox');
    assert.deepEqual(chain.rpcUrls, [engine.url]);
    assert.equal(await engine.rpc.request('eth_chainId', []), '0x7a69');
  });

  it('matches the plan: transactions that are meant to fail fail, the others succeed', async () => {
    for (const { id, fails, blockNumber, position } of sandbox.story) {
      const { status, blockNumber: block, transactionIndex } = await receiptOf(id);
      assert.deepEqual(
        [status, Number(block), Number(transactionIndex)],
        [fails ? '0x0' : '0x1', blockNumber, position],
        id,
      );
    }
  });

  it('reports the last block of the story as safe, and mines no further block', async () => {
    const last = Math.max(...sandbox.story.map(({ blockNumber }) => blockNumber));
    assert.equal(Number((await blockOf('safe')).number), last);
    assert.equal(Number((await blockOf('latest')).number), last + 1);
  });

  it('traces every transaction of the story', async () => {
    for (const { id, fails } of sandbox.story) {
      assert.equal((await traceOf(id)).error !== undefined, fails, id);
    }
  });

  it('has a tree of 2,047 frames and a chain of 200', async () => {
    assert.equal(frames(await traceOf('recursion-2047-frames')).length, 2047);
    assert.equal(depth(await traceOf('recursion-200-deep')), 200);
  });

  it('runs out of gas at the top, and inside', async () => {
    assert.match((await traceOf('out-of-gas')).error!, /^out of gas/i);
    assert.equal(Number((await receiptOf('out-of-gas')).gasUsed), 100_000);
    assert.match((await traceOf('out-of-gas-caught')).calls![0]!.error!, /^out of gas/i);
  });

  it('passes the custom error up through three contracts', async () => {
    const all = frames(await traceOf('custom-error-three-deep'));
    assert.equal(all.length, 3);
    assert.equal(new Set(all.map(({ output }) => output)).size, 1);
  });

  it('uses every kind of call', async () => {
    const found = new Set<string>();
    for (const { id } of sandbox.story) {
      for (const { type } of frames(await traceOf(id))) found.add(type);
    }
    assert.deepEqual([...found].sort(), [
      'CALL',
      'CREATE',
      'CREATE2',
      'DELEGATECALL',
      'SELFDESTRUCT',
      'STATICCALL',
    ]);
  });

  it('uses the transaction types 0, 1, 2 and 4', async () => {
    const found = new Set<string>();
    for (const { id } of sandbox.story) found.add((await receiptOf(id)).type!);
    assert.deepEqual([...found].sort(), ['0x0', '0x1', '0x2', '0x4']);
  });
});

describe('a failing start of the sandbox', () => {
  it('stops the engine when the start is cancelled', async () => {
    let stopped = 0;
    const controller = new AbortController();
    const startEngine = fakeEngine(() => (stopped += 1));
    const starting = startSandbox({ startEngine, signal: controller.signal });
    controller.abort();
    await assert.rejects(starting, { name: 'ApiError', kind: 'cancelled' });
    assert.equal(stopped, 1);
  });

  it('stops an engine that mines something else', async () => {
    let stopped = 0;
    await assert.rejects(startSandbox({ startEngine: fakeEngine(() => (stopped += 1)) }), {
      name: 'ApiError',
      kind: 'engineUnavailable',
      message: 'the engine mined block 1 of the sandbox with other transactions than planned',
    } satisfies Partial<ApiError>);
    assert.equal(stopped, 1);
  });
});

async function hashesOf({ engine, story }: Sandbox) {
  const head = Number(await engine.rpc.request('eth_blockNumber', []));
  const blocks: Record<string, string> = {};
  for (let number = 0; number <= head; number++) {
    const block = await engine.rpc.request('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ]);
    blocks[number] = (block as RpcBlockHeader).hash;
  }
  return { blocks, transactions: Object.fromEntries(story.map(({ id, hash }) => [id, hash])) };
}

/** An engine that accepts everything and has no block. */
const fakeEngine =
  (onStop: () => void): StartEngine =>
  () => {
    const exit = { code: 0, signal: null, log: [] };
    return Promise.resolve({
      rpc: { request: () => Promise.resolve(null), requestAll: () => Promise.resolve([]) },
      inTurn: (_, send) => send(() => undefined, undefined),
      kept: () => undefined,
      send: (_, reader) => {
        reader.onError(new Error('this engine answers nothing'));
      },
      url: 'http://127.0.0.1:1',
      pid: 0,
      exited: Promise.resolve(exit),
      stop: () => {
        onStop();
        return Promise.resolve(exit);
      },
    });
  };
