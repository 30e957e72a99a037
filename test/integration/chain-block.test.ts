import assert from 'node:assert/strict';
import type { ChainBlock } from '../../server/api/chain-block';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = `0x${'a1'.repeat(20)}`;

describe('blocks and positions over REST', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const find = (at: string, chain = 'sandbox') =>
    service.request<ChainBlock>('GET', `/v1/chains/${chain}/block?at=${encodeURIComponent(at)}`);

  it('are found by number, time and transaction', async () => {
    const { data: block } = await find('8');
    assert.equal(block.height, '0x8');
    assert.deepEqual([block.number, block.transactionCount, block.position], [8, 7, null]);
    const second = new Date(block.timestamp * 1000).toISOString();
    for (const at of ['0x8', second, second.replace('.000Z', '+00:00')]) {
      assert.deepEqual((await find(at)).data, block, at);
    }
    const later = new Date((block.timestamp + 1) * 1000).toISOString().replace('.000', '');
    assert.deepEqual((await find(later)).data, block);
    const swap = (await find(sandboxHash('swap-two-hops'))).data;
    assert.deepEqual(swap, { ...block, position: 0 });
    const tags = await Promise.all([find('latest'), find('safe')]);
    assert.deepEqual(
      tags.map(({ data }) => data.number),
      [18, 17],
    );
  });

  it('are rejected with the reason if they are invalid', async () => {
    const cases: [string, string, number, RegExp][] = [
      ['pending', 'sandbox', 40001, /^at is "pending"; accepted: a block number/],
      ['2024-02-31', 'sandbox', 40001, /^at is "2024-02-31"; accepted/],
      ['999999', 'sandbox', 40407, /^at is block 999999; accepted: up to \d+, the head of sandbox/],
      [
        '2020-01-01',
        'sandbox',
        40407,
        /accepted: 2025-01-01T.* the times of the blocks of sandbox$/,
      ],
      [`0x${'1'.repeat(64)}`, 'sandbox', 40403, /is not known on sandbox/],
      ['8', 'nope', 40404, /"nope"/],
    ];
    for (const [at, chain, code, message] of cases) {
      const answer = await find(at, chain);
      assert.equal(answer.code, code, at);
      assert.match(answer.message, message);
    }
    const without = await service.request('GET', '/v1/chains/sandbox/block');
    assert.match(without.message, /^at is missing; accepted: a block number/);
  });

  it("are the start of a branch before one of a fork's transactions", async () => {
    const path = `/v1/project/${await localProject(service)}/fork`;
    const origin = await createFork(service, { chainId: 31337, chain: 'sandbox', height: '0x8' });
    await call(origin.rpc, 'anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    const transaction = await call(origin.rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE });
    const branch = (fields: object, forkId = origin.forkId) =>
      service.request<Fork>('POST', `${path}/${forkId}/branch`, { body: fields });
    const { data, code } = await branch({ name: 'before', transaction });
    assert.equal(code, 0);
    assert.deepEqual([data.name, data.height, data.transactionCount], ['before', '0x8', 0]);
    assert.notEqual(data.rpc, origin.rpc);
    assert.equal(await call(data.rpc, 'eth_getBalance', ALICE, 'latest'), '0xde0b6b3a7640000');

    const unknown = await branch({ name: 'x', transaction: `0x${'1'.repeat(64)}` });
    assert.equal(unknown.code, 40403);
    const missing = await branch({ transaction: 'x' });
    assert.match(missing.message, /name is missing.*transaction is "x"; accepted: a transaction/);
    assert.equal((await branch({ name: 'x', transaction }, 'fork_0')).code, 40402);
  });
});
