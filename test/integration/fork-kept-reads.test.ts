import assert from 'node:assert/strict';
import { random } from '../support/random';
import { call, reply } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const SEEDS = [1, 2, 3];
const STEPS = 40;
const STRANGER = `0x${'99'.repeat(20)}`;
const PROBE = `0x${'f1'.repeat(20)}`;
/** Returns NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO, CHAINID, and BLOCKHASH of the parent. */
const PROBE_CODE =
  '0x435f52426020524160405245606052486080524460a0524660c052600143034060e0526101005ff3';

const READS: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_getBalance', STRANGER, 'latest'],
  ['eth_getBalance', ALICE.address, 'latest'],
  ['eth_getTransactionCount', ALICE.address, 'latest'],
  ['eth_getCode', STRANGER, 'latest'],
  ['eth_getStorageAt', COUNTER, '0x0', 'latest'],
  ['eth_call', { to: COUNTER }, 'latest'],
  ['eth_call', { to: PROBE }, 'latest', { [PROBE]: { code: PROBE_CODE } }],
];

describe('cached reads of a fork', () => {
  const suite = useFork();

  /** Reads through the fork's address. */
  const read = ([method, ...params]: (typeof READS)[number]): Promise<string> =>
    call(suite.rpc, method, ...params);
  /** Reads without the cache. */
  const readDirectly = ([method, ...params]: (typeof READS)[number]): Promise<string> =>
    call(suite.service.engine.url, method, ...params);

  /** Makes a random change; some are rejected. */
  async function change(below: (limit: number) => number, snapshots: string[]): Promise<void> {
    const { rpc } = suite;
    const quantity = `0x${(below(1e9) + 1).toString(16)}`;
    const choices: (() => Promise<unknown>)[] = [
      () => reply(rpc, 'anvil_setBalance', STRANGER, quantity),
      () => reply(rpc, 'anvil_setCode', STRANGER, below(2) === 0 ? '0x' : '0x6001'),
      () =>
        reply(
          rpc,
          'anvil_setStorageAt',
          COUNTER,
          '0x0',
          `0x${quantity.slice(2).padStart(64, '0')}`,
        ),
      () => reply(rpc, 'anvil_setNonce', STRANGER, quantity),
      () => reply(rpc, 'anvil_setCoinbase', [ALICE, BOB][below(2)]?.address),
      () => reply(rpc, 'anvil_setNextBlockBaseFeePerGas', quantity),
      () => reply(rpc, 'anvil_setBlockGasLimit', `0x${(3e7 + below(1e6)).toString(16)}`),
      () => reply(rpc, 'evm_increaseTime', below(1000)),
      () => reply(rpc, 'evm_mine'),
      () => reply(rpc, 'evm_setAutomine', below(3) > 0),
      () => reply(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER }),
      () => reply(rpc, 'eth_sendTransaction', { from: ALICE.address, to: STRANGER, value: '0x7' }),
      async () => snapshots.push(await call(rpc, 'evm_snapshot')),
      () => reply(rpc, 'evm_revert', snapshots.splice(below(snapshots.length + 1), 1)[0] ?? '0x63'),
    ];
    await choices[below(choices.length)]!();
  }

  for (const seed of SEEDS) {
    it(`equal the engine's answers after every change (seed ${seed})`, async () => {
      const below = random(seed);
      const snapshots: string[] = [];
      for (let step = 0; step < STEPS; step++) {
        // Reads that race with the change must not leave stale answers.
        await Promise.all([change(below, snapshots), ...READS.map(read), ...READS.map(read)]);
        const first = await Promise.all(READS.map(read));
        const second = await Promise.all(READS.map(read));
        const truth = await Promise.all(READS.map(readDirectly));
        assert.deepEqual(first, truth, `step ${step}`);
        assert.deepEqual(second, truth, `step ${step}`);
        for (const [i, [method, ...params]] of READS.entries()) {
          assert.equal(suite.service.engine.kept({ method, params }), truth[i]);
        }
      }
    });
  }

  it('have the id of each request', async () => {
    const ask = async (id: unknown): Promise<unknown> => {
      const response = await fetch(suite.rpc, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'eth_getStorageAt',
          params: [COUNTER, '0x0', 'latest'],
        }),
      });
      return response.json();
    };
    const result = `0x${'1'.padStart(64, '0')}`;
    for (const id of [1, 'two', null, 1]) {
      assert.deepEqual(await ask(id), { jsonrpc: '2.0', id, result });
    }
  });
});
