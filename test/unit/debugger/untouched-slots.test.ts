import assert from 'node:assert/strict';
import type { Network } from '../../../server/analysis/ports';
import { LIMITS } from '../../../server/api/limits';
import { UntouchedSlots, type StatePoint } from '../../../server/debugger/session/untouched-slots';
import type { Assumed, OtherStorage } from '../../../server/debugger/values/state';
import { RpcError } from '../../../server/ethereum/json-rpc';
import { toWord } from '../../../server/ethereum/quantity';
import { BEACON_ROOTS } from '../../../server/rules/system-contracts';
import { ScriptedRpc } from '../../support/scripted-rpc';

const ACCOUNT = `0x${'c1'.repeat(20)}` as const;
const CHANGED =
  'the block changes the slot outside of this transaction, and its value between is not known';
const assumed = (value: bigint): Assumed => ({
  ...{ value, assumption: 'the same before and after the block' },
});
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
  const read = (...wanted: bigint[]): Promise<ReturnType<OtherStorage>[]> =>
    slots.reading(() => wanted.map((slot) => slots.storage(ACCOUNT, slot)), signal);
  const blocks = (): unknown[] => rpc.calls.map(({ params }) => params[2]);
  return { rpc, slots, read, blocks };
}

describe('slots that a transaction does not touch', () => {
  it('are assumed where they are the same before and after its block, and read once', async () => {
    const { read, blocks } = setUp();
    assert.deepEqual(await read(1n, 2n), [assumed(1n), assumed(2n)]);
    assert.deepEqual(blocks(), ['0x6', '0x7', '0x6', '0x7']);
    assert.deepEqual(await read(2n), [assumed(2n)]);
    assert.equal(blocks().length, 4);
  });

  it('are not known where the block changes them', async () => {
    const { read } = setUp();
    assert.deepEqual(await read(9n), [CHANGED]);
  });

  it('are those of the parent block for the first transaction, and of the block after all of them', async () => {
    const first = setUp({ position: 0 });
    assert.deepEqual([await first.read(9n), first.blocks()], [[9n], ['0x6']]);
    const after = setUp({ position: 3, isAfterBlock: true });
    assert.deepEqual([await after.read(9n), after.blocks()], [[109n], ['0x7']]);
    const fork = setUp({ position: 0 }, { replayable: false });
    assert.deepEqual([await fork.read(1n), fork.blocks()], [[assumed(1n)], ['0x6', '0x7']]);
  });

  it('of a system contract are not those of the parent block: the block changes them first', async () => {
    const { slots, blocks } = setUp({ position: 0 });
    const read = (slot: bigint): Promise<ReturnType<OtherStorage>> =>
      slots.reading(() => slots.storage(BEACON_ROOTS, slot), signal);
    assert.deepEqual(await read(1n), assumed(1n));
    assert.deepEqual(blocks(), ['0x6', '0x7']);
    assert.equal(await read(9n), CHANGED);
  });

  it('are those of the overrides of a simulation', async () => {
    const state = { [toWord(1n)]: '0x2a' } as const;
    const whole = setUp({ overrides: { [ACCOUNT]: { state } } });
    assert.deepEqual([await whole.read(1n, 2n), whole.blocks()], [[42n, 0n], []]);
    const some = setUp({ overrides: { [ACCOUNT]: { stateDiff: state } } });
    assert.deepEqual(
      [await some.read(1n, 2n), some.blocks()],
      [
        [42n, assumed(2n)],
        ['0x6', '0x7'],
      ],
    );
  });

  it('say why the node does not give them, and are asked for again', async () => {
    const { read, rpc } = setUp();
    const reason = 'the slot cannot be read from the node: missing trie node';
    assert.deepEqual(await read(13n, 1n), [reason, assumed(1n)]);
    assert.deepEqual(await read(13n), [reason]);
    assert.equal(rpc.calls.length, 4 + 2);
    const changed = setUp({ unavailable: 'it may be another one' });
    assert.deepEqual(await changed.read(1n), ['it may be another one']);
  });

  it('are read in as many rounds as they lead to one another', async () => {
    const { slots } = setUp({ position: 0 });
    const chain = (): ReturnType<OtherStorage> => {
      let slot: ReturnType<OtherStorage> = 20n;
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
