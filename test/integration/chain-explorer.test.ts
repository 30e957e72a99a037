import assert from 'node:assert/strict';
import type {
  AddressTransactions,
  BlockTransactions,
  ChainHealth,
  ListedBlocks,
  StoryTransaction,
} from '../../server/api/chain-explorer';
import type { Decodings } from '../../server/api/decode';
import type { Fork } from '../../server/api/fork';
import { sandboxHash, sandboxTransactions } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const BOB = '3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const TRANSFER = `0xa9059cbb${BOB.padStart(64, '0')}${'3e8'.padStart(64, '0')}`;

describe('walking a chain', () => {
  let service: SandboxService;
  let fork: Fork;

  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337, height: '0x8', name: 'nightly' });
  });

  after(() => service.release());

  const get = <Data>(path: string) => service.request<Data>('GET', `/v1/explorer/${path}`);
  const decode = (body: object) => service.request<Decodings>('POST', '/v1/decode', { body });

  it('starts with the health of its node', async () => {
    const { data } = await get<ChainHealth>('sandbox/health');
    assert.match(data.client, /^anvil/);
    assert.deepEqual([data.chain, data.debugApi, data.stateDepth], ['sandbox', true, data.head]);
  });

  it('lists every block from the head to the first one, on a fork as well', async () => {
    const { data: health } = await get<ChainHealth>('sandbox/health');
    const { data: newest } = await get<ListedBlocks>('sandbox/blocks?limit=5');
    assert.deepEqual([newest.head, newest.blocks[0]?.number], [health.head, health.head]);
    const { data: rest } = await get<ListedBlocks>(
      `sandbox/blocks?limit=100&before=${newest.next}`,
    );
    const numbers = [...newest.blocks, ...rest.blocks].map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: health.head + 1 }, (_, index) => health.head - index),
    );
    assert.equal(rest.next, null);
    const { data: ofFork } = await get<ListedBlocks>(`${fork.forkId}/blocks?limit=2`);
    assert.deepEqual(
      [ofFork.head, ofFork.blocks[0]?.hash],
      [8, rest.blocks.concat(newest.blocks).find(({ number }) => number === 8)?.hash],
    );
  });

  it('lists the transactions of an address by the index of its node, page by page', async () => {
    const path = `sandbox/address/0x${BOB}/transactions`;
    const { data: first } = await get<AddressTransactions>(`${path}?limit=1`);
    assert.equal(first.isIndexed, true);
    assert.ok(first.transactions.length > 0);
    const seen = first.transactions.map(({ blockNumber }) => blockNumber);
    for (let { next } = first; next !== null;) {
      const { data } = await get<AddressTransactions>(`${path}?limit=1&before=${next}`);
      seen.push(...data.transactions.map(({ blockNumber }) => blockNumber));
      next = data.next;
    }
    assert.deepEqual(
      seen,
      [...seen].sort((left, right) => right - left),
    );
    // Numbers above the head are not searched one by one.
    for (const before of [2 ** 32, 10 ** 15 - 1]) {
      const { data } = await get<AddressTransactions>(`${path}?limit=1&before=${before}`);
      assert.deepEqual(data, first);
    }
    for (const before of [0, 1]) {
      const { data } = await get<AddressTransactions>(`${path}?limit=1&before=${before}`);
      assert.deepEqual([data.isIndexed, data.transactions, data.next], [true, [], null]);
    }
  });

  it('refuses names of ENS on a chain without the registry, and invalid ones', async () => {
    const { code, message } = await get('sandbox/name/vitalik.eth');
    assert.equal(code, 40_001);
    assert.match(message, /sandbox has no ENS registry/);
    assert.match((await get('sandbox/name/vitalik')).message, /a name such as vitalik\.eth/);
  });

  it('lists the transactions of a block, with their methods and outcomes', async () => {
    const { data: story } = await get<StoryTransaction[]>('sandbox/story');
    assert.deepEqual(
      Object.fromEntries(story.map(({ id, hash }) => [id, hash])),
      sandboxTransactions,
    );
    const swap = story.find(({ hash }) => hash === sandboxHash('swap-two-hops'))!;
    const { data } = await get<BlockTransactions>(
      `sandbox/block/${swap.blockNumber}/transactions?limit=100`,
    );
    const { selector, method, status, created } = data.transactions[swap.position]!;
    assert.deepEqual(
      { method, status, created, hash: data.transactions[swap.position]!.hash },
      { method: 'swapExactTokensForTokens', status: true, created: null, hash: swap.hash },
    );
    assert.match(selector, /^0x[0-9a-f]{8}$/);
    const fails = story.filter((entry) => entry.fails);
    assert.ok(fails.length > 3);
    for (const { hash, blockNumber, position } of fails.slice(0, 3)) {
      const path = `sandbox/block/${blockNumber}/transactions?from=${position}&limit=1`;
      const page = (await get<BlockTransactions>(path)).data;
      assert.deepEqual([page.transactions[0]?.hash, page.transactions[0]?.status], [hash, false]);
    }
    const byHash = await get<BlockTransactions>(`sandbox/block/${data.block.hash}/transactions`);
    assert.equal(byHash.data.block.number, swap.blockNumber);
  });

  it('refuses what is no block, no chain and no page', async () => {
    const refusals: [string, number, RegExp][] = [
      ['sandbox/block/9999/transactions', 40407, /9999/],
      [`sandbox/block/0x${'12'.repeat(32)}/transactions`, 40407, /0x1212/],
      ['sandbox/block/latest/transactions', 40001, /block is "latest"; accepted: a block number/],
      ['sandbox/block/1/transactions?from=-1', 40001, /from is "-1"/],
      ['sandbox/blocks?limit=0', 40001, /limit is/],
      ['sandbox/blocks?limit=101', 40001, /limit is/],
      ['sandbox/blocks?before=x', 40001, /before is "x"/],
      ['nochain/blocks', 40404, /nochain/],
      ['nochain/story', 40404, /nochain/],
      ['fork_00/health', 40404, /fork_00/],
    ];
    for (const [path, code, message] of refusals) {
      const answer = await get(path);
      assert.equal(answer.code, code, `${path}: ${answer.code} ${answer.message}`);
      assert.match(answer.message, message);
    }
  });

  it('has a story on the sandbox only', async () => {
    assert.deepEqual((await get(`${fork.forkId}/story`)).data, []);
    assert.deepEqual((await get('eth/story')).data, []);
  });

  it('decodes call data and revert data', async () => {
    const { data } = await decode({ data: TRANSFER });
    assert.equal(data.selector, '0xa9059cbb');
    const [decoding] = data.decodings;
    assert.deepEqual(
      [decoding?.kind, decoding?.signature, decoding?.params?.map(({ value }) => value)],
      ['call', 'transfer(address,uint256)', [`0x${BOB}`, '1000']],
    );
    const reverted = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;
    assert.equal((await decode({ data: reverted })).data.decodings[0]?.text, 'no');
  });

  it('knows the interface of the called contract', async () => {
    const { data: story } = await get<StoryTransaction[]>('sandbox/story');
    const entry = story.find(({ hash }) => hash === sandboxHash('swap-two-hops'))!;
    const { data: block } = await get<BlockTransactions>(
      `sandbox/block/${entry.blockNumber}/transactions?limit=100`,
    );
    const { to, selector } = block.transactions[entry.position]!;
    const { data } = await decode({ data: selector, at: { chain: 'sandbox', address: to } });
    const [decoding] = data.decodings;
    assert.deepEqual([decoding?.name, decoding?.params], ['swapExactTokensForTokens', null]);
  });

  it('refuses data that it cannot decode', async () => {
    for (const data of ['0x', '0xa9059c', '0xa9059cbb0', 'hello', `0x${'00'.repeat(131_073)}`]) {
      const answer = await decode({ data });
      assert.equal(answer.code, 40001, data.slice(0, 20));
      assert.match(answer.message, /^data is .*; accepted: 4 to 131072 bytes/);
    }
    const at = { chain: 'nochain', address: `0x${BOB}` };
    assert.equal((await decode({ data: TRANSFER, at })).code, 40404);
  });
});
