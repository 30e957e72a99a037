import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Network } from '../../../server/analysis/ports';
import { LIMITS } from '../../../server/api/limits';
import type { StatePoint } from '../../../server/debugger/session/state-point';
import { UntouchedState } from '../../../server/debugger/session/untouched-state';
import type { Assumed, OtherStorage } from '../../../server/debugger/languages/port/other-state';
import { RpcError } from '../../../server/evm/forms/json-rpc';
import { toWord } from '../../../server/evm/forms/quantity';
import { BEACON_ROOTS } from '../../../server/evm/rules/system-contracts';
import { ScriptedRpc } from '../../support/scripted-rpc';

const ACCOUNT = `0x${'c1'.repeat(20)}` as const;
const [PAID, LOST, ODD] = ['c2', 'c3', 'c4'].map((byte) => `0x${byte.repeat(20)}`);
const CHANGED =
  'the block changes the slot outside of this transaction, and its value between is not known';
const assumed = (value: bigint): Assumed => ({
  value,
  assumption: 'the same before and after the block',
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
    eth_getBalance: (address: string, block: string) =>
      address === PAID && BigInt(block) >= 7n ? '0x0' : '0x00c',
    eth_getTransactionCount: () => '0x1',
    eth_getCode: (address: string) => {
      if (address === LOST) throw new RpcError(-32000, 'missing trie node');
      return address === ODD ? '0x123' : '0xFE00';
    },
  });
  const slots = new UntouchedState({
    network: { rpc, replayable: true, ...network } as Network,
    block: { number: '0x7' },
    position: 3,
    ...point,
  });
  const read = (...wanted: bigint[]): Promise<ReturnType<OtherStorage>[]> =>
    slots.reading(() => wanted.map((slot) => slots.storage(ACCOUNT, slot)), signal);
  const blocks = (): unknown[] => rpc.calls.map(({ params }) => params[2]);
  return { rpc, slots, read, blocks };
}

describe('slots and accounts that a transaction does not touch', () => {
  it('are assumed where they are the same before and after its block, and read once', async () => {
    const { read, blocks } = setUp();
    assert.deepEqual(await read(1n, 2n), [assumed(1n), assumed(2n)]);
    assert.deepEqual(blocks(), ['0x6', '0x7', '0x6', '0x7']);
    assert.deepEqual(await read(2n), [assumed(2n)]);
    assert.equal(blocks().length, 4);
  });

  it('take next to no memory before they are read', () => {
    // What is left after a collection does not depend on when the collector runs.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    const states = Array.from({ length: 200 }, () => setUp().slots);
    const more = used() - before;
    assert.ok(more < states.length * 100_000, `${more} bytes`);
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

  it('are accounts too, by the same rules', async () => {
    const account = { balance: 12n, nonce: 1, code: Buffer.from('fe00', 'hex') };
    const readAccount = async (
      address: string,
      point: Partial<StatePoint> = {},
    ): Promise<[unknown, string[]]> => {
      const { slots, rpc } = setUp(point);
      const found = await slots.reading(() => slots.account(address), signal);
      return [found, rpc.calls.map(({ method, params }) => `${method} ${String(params[1])}`)];
    };
    const parts = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
    assert.deepEqual(await readAccount(ACCOUNT, { position: 0 }), [
      account,
      parts.map((method) => `${method} 0x6`),
    ]);
    assert.deepEqual(await readAccount(ACCOUNT), [
      { value: account, assumption: 'the same before and after the block' },
      parts.flatMap((method) => [`${method} 0x6`, `${method} 0x7`]),
    ]);
    const [changed] = await readAccount(PAID!);
    assert.equal(
      changed,
      'the block changes the account outside of this transaction, and its state between is not known',
    );
    const [lost] = await readAccount(LOST!);
    assert.equal(lost, 'the account cannot be read from the node: missing trie node');
    const [odd] = await readAccount(ODD!, { position: 0 });
    assert.equal(odd, 'the account cannot be read from the node: the answer is not code');
    const [richer] = await readAccount(ACCOUNT, {
      position: 0,
      overrides: { [ACCOUNT]: { balance: '0x14', code: '0x' } },
    });
    assert.deepEqual(richer, { balance: 20n, nonce: 1, code: Buffer.alloc(0) });
  });

  it('are few accounts in one answer: their code may be long', async () => {
    const { slots } = setUp({ position: 0 });
    const addresses = Array.from({ length: 40 }, (_, i) => `0x${String(i).padStart(40, '0')}`);
    const found = await slots.reading(() => addresses.map((one) => slots.account(one)), signal);
    assert.equal(found.filter((one) => one !== undefined).length, LIMITS.untouchedSlots / 16);
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
