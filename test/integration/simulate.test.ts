import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Analysis } from '../../server/api/views';
import type { RpcTransaction } from '../../server/evm/forms/types';
import { call } from '../support/json-rpc';
import { nativeMoves, stateMoves } from '../support/native-moves';
import { sandboxHash } from '../support/sandbox-hashes';
import { type Answer, createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const SIMULATE = '/v1/explorer/sandbox/simulate';

const transferTo = (to: string, amount: bigint): string =>
  `0xa9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;

function asBody(transaction: RpcTransaction): object {
  const { from, to, value, input, gas, blockNumber, transactionIndex } = transaction;
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice, accessList, authorizationList } =
    transaction;
  return {
    from,
    to,
    value,
    data: input,
    gas,
    height: blockNumber,
    position: Number(transactionIndex),
    ...(maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }),
    ...(accessList && { accessList }),
    ...(authorizationList && { authorizationList }),
  };
}

describe('a simulation', () => {
  let service: SandboxService;
  let fork: Fork;
  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337, height: '0xd' });
  });
  after(() => service.release());

  const analysis = async (id: string): Promise<Analysis> => {
    const path = `/v1/explorer/sandbox/transaction/${sandboxHash(id)}/analysis`;
    return (await service.request<Analysis>('GET', path)).data;
  };
  const simulate = (body: object, path = SIMULATE): Promise<Answer<Analysis>> =>
    service.request<Analysis>('POST', path, { body });
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> =>
    call<T>(fork.rpc, method, ...params);

  it('of a transaction at its own position equals its analysis', async () => {
    for (const id of [
      'swap-two-hops',
      'flash-loan',
      'caught-revert',
      'create2',
      'exploit-reentrancy',
      'eip7702-batch',
      'custom-error-three-deep',
    ]) {
      const mined = await analysis(id);
      const transaction = await rpc<RpcTransaction>('eth_getTransactionByHash', sandboxHash(id));
      const { data, message } = await simulate(asBody(transaction));
      assert.equal(message, 'OK', id);
      const { method, position } = data.simulation!;
      assert.deepEqual([method, position], ['replay', mined.transaction.position], id);
      for (const part of ['status', 'trace', 'dataMap', 'fundFlow', 'gasProfile'] as const) {
        assert.deepEqual(data[part], mined[part], `${id}: ${part}`);
      }
      assert.deepEqual(data.balanceChange, mined.balanceChange, id);
      assert.deepEqual(data.stateDiff, { ...mined.stateDiff, method: 'replay' }, id);
      const { hash, ...facts } = data.transaction;
      assert.deepEqual([hash, facts.fee], ['', mined.transaction.fee], id);
    }
  });

  it('accepts a different state and another block', async () => {
    // NUMBER and SLOAD(1), returned as two words
    const code = '0x4360005260015460205260406000f3';
    const { data, message } = await simulate({
      from: `0x${'12'.repeat(20)}`,
      to: BOB,
      value: '3',
      data: '0x',
      nonce: 7,
      stateOverrides: {
        [`0x${'12'.repeat(20)}`]: { balance: '5' },
        [BOB]: { code, stateDiff: { '0x1': '0x2a' } },
      },
      blockOverrides: { number: '0x7b' },
    });
    assert.equal(message, 'OK');
    const top = data.dataMap['0']!;
    assert.ok('invocation' in top);
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    assert.equal(top.invocation.output, `0x${word(0x7b)}${word(0x2a)}`);
    assert.equal(data.transaction.nonce, 7);
    assert.deepEqual(data.simulation, {
      method: 'debug',
      executor: 'node',
      blockNumber: 18,
      position: 0,
      native: 'verified',
      tokens: 'verified',
      compared: { native: 2, tokens: 0 },
    });
    assert.deepEqual(nativeMoves(data.balanceChange!), [
      [`0x${'12'.repeat(20)}`, '-3'],
      [BOB, '3'],
    ]);
  });

  it('has a summary with the largest nonce', async () => {
    const call = { from: ALICE, to: BOB, data: '0x12345678', nonce: '0xfffffffffffffffe' };
    const { data, message } = await simulate(call);
    assert.equal(message, 'OK');
    assert.deepEqual(
      data.summary?.clauses.map(({ kind, actor }) => [kind, actor]),
      [['called', ALICE]],
    );
  });

  it("on a fork includes the fork's changes", async () => {
    const poor = `0x${'34'.repeat(20)}`;
    await rpc('anvil_setBalance', poor, '0x64');
    const simulation = { from: poor, to: BOB, value: '0x64' };
    const onFork = await simulate(simulation, `/v1/explorer/${fork.forkId}/simulate`);
    assert.equal(onFork.message, 'OK');
    assert.equal(onFork.data.simulation?.blockNumber, 13);
    assert.deepEqual(stateMoves(onFork.data), [
      [poor, '-100'],
      [BOB, '100'],
    ]);
    const onChain = await simulate(simulation);
    assert.deepEqual([onChain.status, onChain.code], [422, 42200]);
  });

  it('runs before any transaction of a block that a fork mined', async () => {
    const poor = `0x${'56'.repeat(20)}`;
    const [first, second] = await rpc<string[]>('eth_sendTransactions', [
      { from: ALICE, to: poor, value: '0x64' },
      { from: ALICE, to: HBR, data: transferTo(poor, 7n) },
    ]);
    const { blockNumber: height } = await rpc<RpcTransaction>('eth_getTransactionByHash', first);
    assert.equal(
      (await rpc<RpcTransaction>('eth_getTransactionByHash', second)).blockNumber,
      height,
    );
    await rpc('anvil_setBalance', poor, '0x0'); // later transactions have no effect
    const path = `/v1/explorer/${fork.forkId}/simulate`;
    const spend = (position: number, body: object) =>
      simulate({ from: poor, height, position, ...body }, path);

    const early = await spend(0, { to: BOB, value: '0x64' });
    assert.deepEqual([early.status, early.code], [422, 42200]);
    const ether = await spend(1, { to: BOB, value: '0x64' });
    assert.equal(ether.message, 'OK');
    assert.deepEqual(ether.data.simulation, {
      method: 'debug',
      executor: 'anvil',
      blockNumber: Number(height),
      position: 1,
      native: 'verified',
      tokens: 'verified',
      compared: { native: 2, tokens: 0 },
    });
    assert.deepEqual(stateMoves(ether.data), [
      [BOB, '100'],
      [poor, '-100'],
    ]);
    const tokens = { to: HBR, data: transferTo(BOB, 7n) };
    assert.equal((await spend(1, tokens)).data.status, false);
    assert.equal((await spend(2, tokens)).data.status, true);
    // The state override takes precedence over the state after the earlier transactions.
    const stateOverrides = { [poor]: { balance: '0x1' } };
    const overridden = await spend(1, { to: BOB, value: '0x64', stateOverrides });
    assert.equal(overridden.code, 42200);
    const outside = await spend(3, tokens);
    assert.equal(
      outside.message,
      `position is 3; accepted: 0 to 2: block ${Number(height)} of ${fork.forkId} has 2 transactions`,
    );
  });

  it('runs between the transactions that a fork with its own chain id replayed', async () => {
    const mined = await analysis('permit-and-swap');
    const transaction = await rpc<RpcTransaction>(
      'eth_getTransactionByHash',
      sandboxHash('permit-and-swap'),
    );
    const replayed = await createFork(service, {
      chainId: 31337,
      height: transaction.blockNumber,
      position: 2,
      antiReplay: true,
    });
    const path = `/v1/explorer/${replayed.forkId}/simulate`;
    const { data, message } = await simulate(asBody(transaction), path);
    assert.equal(message, 'OK');
    assert.deepEqual(data.dataMap, mined.dataMap);
    assert.deepEqual(data.balanceChange, mined.balanceChange);
    const outside = await simulate({ ...asBody(transaction), position: 3 }, path);
    assert.equal(
      outside.message,
      `position is 3; accepted: 0 to 2: block 8 of ${replayed.forkId} has 2 transactions`,
    );
  });

  it('runs before a block many times at once, in parallel with traces for other clients', async () => {
    const { blockNumber: height } = await rpc<RpcTransaction>(
      'eth_getTransactionByHash',
      await rpc('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' }),
    );
    const nobody = (n: number): string => `0x${n.toString(16).padStart(40, '5')}`;
    const traces = Array.from({ length: 6 }, (_, n) =>
      rpc('debug_traceCall', { from: BOB, to: nobody(n) }, height, { tracer: 'callTracer' }),
    );
    const path = `/v1/explorer/${fork.forkId}/simulate`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        simulate({ from: ALICE, to: nobody(100 + n), height, position: 0 }, path),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ message }) => message)), new Set(['OK']));
    assert.equal(new Set(await Promise.all(traces)).size, 6);
  });

  it('replaces a whole storage, or single slots of it', async () => {
    // SLOAD(0) and SLOAD(2), returned as two words. The token stores its name in slot 0.
    const code = '0x60005460005260025460205260406000f3';
    const outputOf = async (override: object): Promise<string> => {
      const stateOverrides = { [HBR]: { code, ...override } };
      const { data } = await simulate({ from: ALICE, to: HBR, stateOverrides });
      const top = data.dataMap['0']!;
      return 'invocation' in top ? top.invocation.output : '';
    };
    const zero = '0'.repeat(64);
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const kept = await outputOf({ stateDiff: { '0x2': '0x2a' } });
    assert.equal(kept.slice(66), word(0x2a));
    assert.notEqual(kept.slice(2, 66), zero);
    assert.equal(await outputOf({ state: { '0x2': '0x2a' } }), `0x${zero}${word(0x2a)}`);
    assert.equal(await outputOf({ state: {} }), `0x${zero}${zero}`);
  });

  it('supports a transaction with blobs, and includes their fee', async () => {
    const blobVersionedHashes = [1, 2].map((n) => `0x01${String(n).repeat(62)}`);
    // BLOBHASH(1), returned
    const stateOverrides = { [BOB]: { code: '0x60014960005260206000f3' } };
    const call = {
      from: ALICE,
      to: BOB,
      value: '5',
      stateOverrides,
      blobVersionedHashes,
      maxFeePerGas: '100000000000',
      maxFeePerBlobGas: '1000',
    };
    for (const chain of ['sandbox', fork.forkId]) {
      const { data, message } = await simulate(call, `/v1/explorer/${chain}/simulate`);
      assert.equal(message, 'OK');
      const top = data.dataMap['0']!;
      assert.ok('invocation' in top);
      assert.equal(top.invocation.output, blobVersionedHashes[1]);
      assert.equal(data.transaction.type, 3);
      assert.deepEqual(data.transaction.blobs, {
        versionedHashes: blobVersionedHashes,
        maxFeePerGas: '1000',
        gasUsed: 262_144,
        gasPrice: '1',
      });
      assert.equal(data.simulation?.native, 'verified', chain);
      const { paid } = data.stateDiff!.fee;
      assert.equal((BigInt(paid) - 262_144n) % BigInt(data.transaction.gasUsed), 0n);
    }
    const accessible = await simulate({ ...call, maxFeePerBlobGas: '0' });
    assert.equal(accessible.code, 42200, accessible.message);
  });
});
