import assert from 'node:assert/strict';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import type { Fork, ForkTransactions } from '../../server/api/fork';
import type { ProjectDetail } from '../../server/api/project';
import { call } from '../support/json-rpc';
import { localProject, startService, type TestService } from '../support/service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const word = (value: bigint | string): string => BigInt(value).toString(16).padStart(64, '0');

describe('the main job, through the service only', () => {
  let service: TestService;
  let project: string;
  let fork: Fork;
  let hash: string;
  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    project = await localProject(service);
  });
  after(() => service.stop());

  it('forks the sandbox inside a block', async () => {
    const body = { chainId: 31337, name: 'inside block 8', height: '0x8', position: 3 };
    fork = (await service.request<Fork>('POST', `/v1/project/${project}/fork`, { body })).data;
    assert.equal(fork.height, '0x8');
    assert.equal(fork.position, 3);
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
  });

  it('sends an unsigned transaction to the fork', async () => {
    const data = `0xa9059cbb${word(BOB)}${word(5n * 10n ** 18n)}`;
    hash = await call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to: HBR, data });
    assert.match(hash, /^0x[0-9a-f]{64}$/);
  });

  it('lists it with the name of its method, and counts it', async () => {
    const path = `/v1/project/${project}/fork/${fork.forkId}/transactions`;
    const { data } = await service.request<ForkTransactions>('GET', path);
    assert.equal(data.total, 1);
    const [transaction] = data.transactions;
    assert.equal(transaction?.hash, hash);
    assert.equal(transaction.method, 'transfer');
    assert.equal(transaction.selector, '0xa9059cbb');
    assert.equal(transaction.blockNumber, 9);
    assert.equal(transaction.status, true);
    const detail = await service.request<ProjectDetail>('GET', `/v1/project/${project}`);
    assert.equal(detail.data.stats.dailyTransactionQuantity, 1);
    assert.equal(detail.data.stats.monthlyTransactionQuantity, 1);
  });

  it('reads its decoded call tree', async () => {
    const path = `/v1/explorer/${fork.forkId}/transaction/${hash}/invocation-flow`;
    const { data } = await service.request<InvocationFlow>('GET', path);
    const top = data.dataMap['0'];
    assert.ok(top && 'invocation' in top);
    assert.equal(top.invocation.decodedMethod?.signature, 'transfer(address,uint256)');
    assert.deepEqual(
      top.invocation.decodedMethod.callParams.map(({ value }) => value),
      [BOB, '5000000000000000000'],
    );
    assert.equal(data.labels[ALICE], 'alice');
    assert.equal(data.verification.faithful, true);
  });

  it('reads the gains and losses', async () => {
    const path = `/v1/explorer/${fork.forkId}/transaction/${hash}/balance-change`;
    const { data } = await service.request<BalanceChange>('GET', path);
    assert.deepEqual(
      data.balanceChange.map(({ account, assets }) =>
        [account, ...assets.flatMap((asset) => [asset.address, asset.amount, asset.sign])].join(),
      ),
      [`${ALICE},${HBR},5,false`, `${BOB},${HBR},5,true`],
    );
  });
});
