import assert from 'node:assert/strict';
import type { Network } from '../../../server/analysis/ports';
import { LIMITS } from '../../../server/api/limits';
import { UntouchedSlots, type StatePoint } from '../../../server/debugger/session/untouched-slots';
import { RpcError } from '../../../server/ethereum/json-rpc';
import { toWord } from '../../../server/ethereum/quantity';
import { ScriptedRpc } from '../../support/scripted-rpc';

const ACCOUNT = `0x${'c1'.repeat(20)}` as const;
const signal = new AbortController().signal;

/** A node whose slots have their own number, plus 100 in the slots that block 7 changes. */
function setUp(point: Partial<StatePoint> = {}, network: Partial<Network> = {}) {
  const changed = new Set([9n]);
  const rpc = new ScriptedRpc({
    eth_getStorageAt: (_: string, slot: string, block: string) => {
      if (BigInt(slot) === 13n) throw new RpcError(-32000, 'missing trie node');
      const isChanged = changed.has(BigInt(slot)) && BigInt(block) >= 7n;
      return toWord(BigInt(slot) + (isChanged ? 100n : 0n));
    },
  });
  const slots = new UntouchedSlots({
    ...{ network: { rpc, replayable: true, ...network } as Network, block: { number: '0x7' } },
    ...{ position: 3, ...point },
  });
  const read = (...wanted: bigint[]): Promise<(bigint | string | undefined)[]> =>
    slots.reading(() => wanted.map((slot) => slots.storage(ACCOUNT, slot)), signal);
  const blocks = (): unknown[] => rpc.calls.map(({ params }) => params[2]);
  return { rpc, slots, read, blocks };
}

describe('slots that a transaction does not touch', () => {
  it('are read before and after its block, once', async () => {
    const { read, blocks } = setUp();
    assert.deepEqual(await read(1n, 2n), [1n, 2n]);
    assert.deepEqual(blocks(), ['0x6', '0x7', '0x6', '0x7']);
    assert.deepEqual(await read(2n), [2n]);
    assert.equal(blocks().length, 4);
  });

  it('are not known where the block changes them', async () => {
    const { read } = setUp();
    const reason =
      'the block changes the slot outside of this transaction, and its value between is not known';
    assert.deepEqual(await read(9n), [reason]);
  });

  it('are those of the parent block for the first transaction, and of the block after all of them', async () => {
    const first = setUp({ position: 0 });
    assert.deepEqual([await first.read(9n), first.blocks()], [[9n], ['0x6']]);
    const after = setUp({ position: 3, isAfterBlock: true });
    assert.deepEqual([await after.read(9n), after.blocks()], [[109n], ['0x7']]);
    const fork = setUp({ position: 0 }, { replayable: false });
    await fork.read(1n);
    assert.deepEqual(fork.blocks(), ['0x6', '0x7']);
  });

  it('are those of the overrides of a simulation', async () => {
    const state = { [toWord(1n)]: '0x2a' } as const;
    const whole = setUp({ overrides: { [ACCOUNT]: { state } } });
    assert.deepEqual([await whole.read(1n, 2n), whole.blocks()], [[42n, 0n], []]);
    const some = setUp({ overrides: { [ACCOUNT]: { stateDiff: state } } });
    assert.deepEqual(
      [await some.read(1n, 2n), some.blocks()],
      [
        [42n, 2n],
        ['0x6', '0x7'],
      ],
    );
  });

  it('say why the node does not give them, and are asked for again', async () => {
    const { read, rpc } = setUp();
    const reason = 'the slot cannot be read from the node: missing trie node';
    assert.deepEqual(await read(13n, 1n), [reason, 1n]);
    assert.deepEqual(await read(13n), [reason]);
    assert.equal(rpc.calls.length, 4 + 2);
    const changed = setUp({ unavailable: 'it may be another one' });
    assert.deepEqual(await changed.read(1n), ['it may be another one']);
  });

  it('are read in as many rounds as they lead to one another', async () => {
    const { slots } = setUp();
    const chain = (): bigint | string | undefined => {
      let slot: bigint | string | undefined = 20n;
      for (let i = 0; i < 4 && typeof slot === 'bigint'; i++)
        slot = slots.storage(ACCOUNT, slot + 1n);
      return slot;
    };
    assert.equal(await slots.reading(chain, signal), 24n);
  });

  it('are bounded in one answer', async () => {
    const { read } = setUp();
    const wanted = Array.from({ length: LIMITS.untouchedSlots + 2 }, (_, i) => BigInt(i + 100));
    const values = await read(...wanted);
    assert.equal(values.filter((value) => value === undefined).length, 2);
  });

  it('end with their request', async () => {
    const { slots, rpc } = setUp();
    const leaving = new AbortController();
    rpc.requestAll = () => {
      leaving.abort(new Error('gone'));
      return Promise.reject(new Error('gone'));
    };
    await assert.rejects(
      slots.reading(() => slots.storage(ACCOUNT, 1n), leaving.signal),
      { message: 'gone' },
    );
  });
});
