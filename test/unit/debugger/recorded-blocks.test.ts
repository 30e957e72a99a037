import assert from 'node:assert/strict';
import type { Network } from '../../../server/analysis/ports';
import { forkNotFound } from '../../../server/api/errors';
import type { Hash } from '../../../server/api/primitives';
import { RecordedBlocks } from '../../../server/debugger/session/recorded-blocks';
import { toWord } from '../../../server/evm/forms/quantity';
import { ScriptedRpc } from '../../support/scripted-rpc';

const HASH: Hash = toWord(1n);
const BLOCK: Hash = toWord(7n);
const OTHER: Hash = toWord(8n);
const FORK = 'fork_1';

const network = (key: string, rpc: ScriptedRpc): Network => ({
  key,
  rpc,
  chainId: 1,
  nativeSymbol: 'ETH',
  replayable: key !== FORK,
});

function setUp() {
  const state = {
    /** null: in no block; undefined: not known. */
    block: BLOCK as Hash | null | undefined,
    reverts: 0,
    isDeleted: false,
    now: 1_000,
  };
  const rpc = new ScriptedRpc({
    eth_getTransactionByHash: (hash: Hash) =>
      state.block === undefined
        ? null
        : { hash, blockHash: state.block, blockNumber: state.block && '0x5' },
  });
  const blocks = new RecordedBlocks(
    {
      resolve: (key) => Promise.resolve(network(key, rpc)),
      revertsOf: (name) => {
        if (name !== FORK) return Promise.resolve(undefined);
        return state.isDeleted
          ? Promise.reject(forkNotFound(name))
          : Promise.resolve(state.reverts);
      },
    },
    { now: () => state.now },
  );
  const check = (chain: string) => blocks.check({ chain, transaction: HASH, block: BLOCK });
  return { state, rpc, check };
}

describe('blocks of recordings', () => {
  it('of a chain are asked for once in 5 s, and are current until the chain says otherwise', async () => {
    const { state, rpc, check } = setUp();
    assert.deepEqual(await check('eth'), { isCurrent: true });
    state.block = OTHER;
    state.now += 4_999;
    assert.deepEqual(await check('eth'), { isCurrent: true });
    assert.equal(rpc.calls.length, 1);
    state.now += 1;
    assert.deepEqual(await check('eth'), {
      isCurrent: false,
      reason: `a reorganisation of eth replaced block ${BLOCK}: the transaction is in block ${OTHER} now, debug it again to see its execution there; the recording is that of the replaced block`,
    });
    state.block = BLOCK;
    state.now += 5_000;
    assert.deepEqual(await check('eth'), { isCurrent: true });
    assert.equal(rpc.calls.length, 3);
  });

  for (const [block, now] of [
    [null, 'the transaction waits for another block, debug it again once it is in one'],
    [undefined, 'the transaction is in no block now, simulate it to debug it on the present state'],
  ] as const) {
    it(`of a chain say what to do where there is no other one: ${now}`, async () => {
      const { state, check } = setUp();
      state.block = block;
      const { isCurrent, reason } = await check('eth');
      assert.equal(isCurrent, false);
      assert.ok(reason!.includes(`replaced block ${BLOCK}: ${now};`), reason);
    });
  }

  it('of a fork are asked for again after it was reverted only, so that no check wakes it', async () => {
    const { state, rpc, check } = setUp();
    for (let checks = 0; checks < 3; checks++) {
      assert.deepEqual(await check(FORK), { isCurrent: true });
      state.now += 60_000;
    }
    assert.equal(rpc.calls.length, 1);
    state.reverts++;
    assert.deepEqual(await check(FORK), { isCurrent: true }); // to a state after the transaction
    state.reverts++;
    state.block = undefined;
    for (let checks = 0; checks < 2; checks++) {
      assert.deepEqual(await check(FORK), {
        isCurrent: false,
        reason: `fork ${FORK} was reverted, and block ${BLOCK} is no longer part of it: send the transaction again, or simulate it, to debug it on the present state; the recording is that of the replaced block`,
      });
    }
    assert.equal(rpc.calls.length, 3);
  });

  it('of a deleted fork are not known', async () => {
    const { state, rpc, check } = setUp();
    state.isDeleted = true;
    await assert.rejects(check(FORK), { kind: 'forkNotFound' });
    assert.equal(rpc.calls.length, 0);
  });

  it('are not known where the node does not answer, and are asked for again', async () => {
    const fails = new ScriptedRpc({});
    const failing = new RecordedBlocks({
      resolve: (key) => Promise.resolve(network(key, fails)),
      revertsOf: () => Promise.resolve(undefined),
    });
    const wanted = { chain: 'eth', transaction: HASH, block: BLOCK };
    for (const calls of [1, 2]) {
      await assert.rejects(failing.check(wanted), { kind: 'upstreamLacksData' });
      assert.equal(fails.calls.length, calls);
    }
  });
});
