import assert from 'node:assert/strict';
import type { PublicChain } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import type { AddressFacts, FoundTransactions } from '../../server/api/lookup';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const CAROL = `0x${'ca'.repeat(20)}`;

describe('lookups of hashes and addresses', () => {
  let service: SandboxService;
  let fork: Fork;

  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337, height: '0x8', name: 'nightly' });
  });

  after(() => service.release());

  const find = (hash: string, chains = 'sandbox') =>
    service.request<FoundTransactions>('GET', `/v1/explorer/transactions/${hash}?chains=${chains}`);
  const address = (chain: string, value: string) =>
    service.request<AddressFacts>('GET', `/v1/explorer/${chain}/address/${value}`);

  it("find a chain's transaction on the chain only, even if there are forks of it", async () => {
    const { data } = await find(sandboxHash('swap-two-hops'));
    assert.deepEqual(
      data.places.map(({ kind, chain }) => ({ kind, chain })),
      [{ kind: 'chain', chain: 'sandbox' }],
    );
    assert.deepEqual(data.unanswered, []);
  });

  it('find a transaction that was made on a fork on that fork', async () => {
    await call(fork.rpc, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
    const hash = await call(fork.rpc, 'eth_sendTransaction', { from: CAROL, to: ALICE });
    const { data } = await find(hash);
    assert.deepEqual(data.places, [
      { kind: 'fork', chain: fork.forkId, name: 'nightly', blockNumber: 9 },
    ]);
  });

  it('find nothing for an unknown hash', async () => {
    const { data } = await find(`0x${'00'.repeat(32)}`);
    assert.deepEqual(data, { places: [], unanswered: [], notAsked: [] });
  });

  it('query no chain without a configured endpoint', async () => {
    const path = `/v1/explorer/transactions/0x${'00'.repeat(32)}`;
    const { data } = await service.request<FoundTransactions>('GET', path);
    const { data: chains } = await service.request<PublicChain[]>('GET', '/v1/chains');
    const notAsked = chains.map(({ slug }) => slug).filter((slug) => slug !== 'sandbox');
    assert.ok(notAsked.includes('eth'));
    assert.deepEqual(data, { places: [], unanswered: [], notAsked });
  });

  it('reject an unknown chain and an invalid hash', async () => {
    const chain = await find(sandboxHash('swap-two-hops'), 'nowhere');
    assert.equal(chain.code, 40404);
    const hash = await find('0x12');
    assert.equal(hash.code, 40001);
    assert.match(hash.message, /^transaction is "0x12"; accepted: a transaction hash/);
  });

  it('describe a plain account: name, balance, nonce', async () => {
    const { data } = await address('sandbox', ALICE.toUpperCase().replace('0X', '0x'));
    assert.equal(data.address, ALICE);
    assert.equal(data.kind, 'account');
    assert.equal(data.name, 'alice');
    assert.equal(data.nativeSymbol, 'ETH');
    assert.ok(Number(data.balance) > 9_000);
    assert.equal(data.token, undefined);
  });

  it('describe the balance on a fork, which differs from that on the chain', async () => {
    await call(fork.rpc, 'anvil_setBalance', CAROL, '0x1bc16d674ec80000');
    assert.equal((await address(fork.forkId, CAROL)).data.balance, '2');
    assert.equal((await address('sandbox', CAROL)).data.balance, '0');
  });

  it("prefer the user's own label", async () => {
    const body = { address: ALICE, name: 'my first account' };
    assert.equal((await service.request('PUT', '/v1/labels', { body })).code, 0);
    assert.equal((await address('sandbox', ALICE)).data.name, 'my first account');
    assert.equal((await address(fork.forkId, ALICE)).data.name, 'my first account');
  });

  it('describe a token as a contract with symbol and decimals', async () => {
    const flow = await service.request<{
      dataMap: Record<string, { invocation?: { address: string } }>;
    }>(
      'GET',
      `/v1/explorer/sandbox/transaction/${sandboxHash('transfer-18-decimals')}/invocation-flow`,
    );
    const token = flow.data.dataMap['0']!.invocation!.address;
    const { data } = await address('sandbox', token);
    assert.equal(data.kind, 'contract');
    assert.deepEqual(data.token, { symbol: 'HBR', decimals: 18, source: 'chain' });
  });

  it('reject an unknown chain and an invalid address', async () => {
    assert.equal((await address('nowhere', ALICE)).code, 40404);
    assert.equal((await address('sandbox', '0x12')).code, 40001);
  });
});
