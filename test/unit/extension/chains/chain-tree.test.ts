import assert from 'node:assert/strict';
import { displayOf } from '../../../../extension/chains/chain-displays';
import { ChainTree } from '../../../../extension/chains/chain-tree';
import type { ApiClient } from '../../../../extension/model/api-client';
import type { ChainsNode } from '../../../../extension/model/chain-node';
import type {
  BlockTransaction,
  BlockTransactions,
  ChainHealth,
  ListedBlock,
  StoryTransaction,
} from '../../../../server/api/chain-explorer';
import type { PublicChain } from '../../../../server/api/config';
import { ApiError } from '../../../../server/api/errors';
import { eventually } from '../../../support/eventually';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const hash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const chain = (slug: string, own = true): PublicChain => ({
  slug,
  chainId: 1,
  name: slug.toUpperCase(),
  nativeSymbol: 'ETH',
  ...(own && { hasOwnEndpoint: true as const }),
});
const block = (number: number, transactionCount = 2): ListedBlock => ({
  number,
  hash: hash(number),
  timestamp: NOW / 1000 - 60,
  transactionCount,
  gasUsed: 15_000_000,
  gasLimit: 30_000_000,
});
const transaction = (position: number, more: Partial<BlockTransaction> = {}): BlockTransaction => ({
  hash: hash(1000 + position),
  position,
  from: `0x${'a1'.repeat(20)}`,
  to: `0x${'b0'.repeat(20)}`,
  created: null,
  value: '0',
  selector: '0xa9059cbb',
  method: 'transfer',
  status: true,
  gasUsed: 21_000,
  ...more,
});

/** A service with a chain of `head` blocks, one of public endpoints, and the sandbox with a story of 30 transactions. */
function service() {
  const facts = {
    head: 100,
    count: 30,
    fails: undefined as Error | undefined,
    slow: Promise.resolve(),
  };
  const calls: [string, unknown][] = [];
  const story = Array.from({ length: 30 }, (_, index): StoryTransaction => ({
    id: index === 29 ? 'flash-loan' : `s${index}`,
    title: `Story ${index}`,
    shows: 'It shows.',
    fails: index === 1,
    hash: hash(1000 + index),
    blockNumber: 5,
    position: index,
  }));
  const answers: Record<string, (request: never) => unknown> = {
    listChains: () => [chain('eth'), chain('base', false), chain('sandbox')],
    getChainHealth: ({ params }: { params: { chain: string } }): ChainHealth => {
      if (params.chain === 'eth' && facts.fails) throw facts.fails;
      return {
        chain: params.chain,
        head: facts.head,
        timestamp: NOW / 1000 - 12,
        latencyMs: 40,
        client: 'Geth/v1',
        stateDepth: 128,
        debugApi: false,
      };
    },
    listStory: ({ params }: { params: { chain: string } }) =>
      params.chain === 'sandbox' ? story : [],
    listBlocks: ({ query }: { query: { before: string; limit: number } }) => {
      const newest = Number(query.before) - 1;
      const blocks = Array.from({ length: query.limit }, (_, index) => block(newest - index));
      return { head: facts.head, blocks, next: newest - query.limit + 1 };
    },
    listBlockTransactions: ({ query }: { query: { from: string; limit: number } }) => {
      const from = Number(query.from);
      const end = Math.min(facts.count, from + query.limit);
      const transactions = Array.from({ length: end - from }, (_, index) =>
        transaction(from + index),
      );
      const next = end < facts.count ? end : null;
      const labels = { [`0x${'a1'.repeat(20)}`]: 'alice' };
      return {
        block: block(100, facts.count),
        nativeSymbol: 'ETH',
        labels,
        transactions,
        next,
      } satisfies BlockTransactions;
    },
  };
  const client = {
    call: async (route: string, request: never) => {
      calls.push([route, request]);
      await Promise.resolve();
      if (route === 'getChainHealth') await facts.slow;
      return answers[route]!(request);
    },
  } as unknown as ApiClient;
  const changes: unknown[] = [];
  const tree = new ChainTree(client, () => changes.push(facts.head));
  return { facts, calls, changes, tree };
}

const labels = (nodes: readonly ChainsNode[]): string[] =>
  nodes.map((node) => {
    const { label, description = '' } = displayOf(node, NOW);
    return `${label} | ${description}`;
  });

describe('the tree of chains', () => {
  it('starts with the chains that have an endpoint of the user, and asks no others', async () => {
    const { tree, calls } = service();
    assert.deepEqual(labels(await tree.children()), [
      'ETH | block 100 · now · no debug API',
      'SANDBOX | block 100 · no debug API',
      'Other chains | 1 chain, by public endpoints',
    ]);
    const asked = calls.filter(([route]) => route === 'getChainHealth');
    assert.deepEqual(
      asked.map(([, request]) => (request as { params: { chain: string } }).params.chain),
      ['eth', 'sandbox'],
    );
  });

  it('shows the chains before a slow node has answered', async () => {
    const { tree, facts, changes, calls } = service();
    let answer = (): void => undefined;
    facts.slow = new Promise((resolve) => (answer = resolve));
    assert.deepEqual(labels(await tree.children()).slice(0, 2), ['ETH | ', 'SANDBOX | ']);
    assert.deepEqual(labels(await tree.children()).slice(0, 1), ['ETH | ']);
    assert.equal(calls.filter(([route]) => route === 'getChainHealth').length, 2);
    answer();
    await eventually(() => {
      assert.notEqual(changes.length, 0);
    });
    assert.deepEqual(labels(await tree.children()).slice(0, 1), [
      'ETH | block 100 · now · no debug API',
    ]);
  });

  it('asks another chain when it is opened', async () => {
    const { tree } = service();
    const others = (await tree.children()).at(-1)!;
    const [base] = await tree.children(others);
    assert.deepEqual(labels([base!]), ['BASE | ']);
    assert.equal((await tree.children(base)).length, 21);
    assert.deepEqual(labels(await tree.children(others)), [
      'BASE | block 100 · now · no debug API',
    ]);
  });

  it('shows the story of the sandbox by its titles, highlights first, page by page', async () => {
    const { tree } = service();
    const sandbox = (await tree.children())[1]!;
    const [story] = await tree.children(sandbox);
    assert.deepEqual(labels([story!]), ['Story | 30 transactions to learn from']);
    const shown = await tree.children(story);
    assert.equal(shown.length, 13);
    assert.deepEqual(labels(shown.slice(0, 2)), ['Story 29 | 5:29', 'Story 0 | 5:0']);
    assert.deepEqual(labels(shown.slice(-1)), ['Load more (18) | ']);
    assert.equal(displayOf(shown[2]!, NOW).icon.id, 'error');
    await tree.loadMore(shown.at(-1) as Extract<ChainsNode, { kind: 'more' }>);
    assert.equal((await tree.children(story)).length, 25);
  });

  it('lists blocks and their transactions, and more of them on demand', async () => {
    const { tree } = service();
    const [eth] = await tree.children();
    const blocks = await tree.children(eth);
    assert.deepEqual(labels([blocks[0]!, blocks[19]!, blocks[20]!]), [
      '100 | 2 transactions · 1 min ago',
      '81 | 2 transactions · 1 min ago',
      'Load more | ',
    ]);
    await tree.loadMore(blocks.at(-1) as Extract<ChainsNode, { kind: 'more' }>);
    assert.equal((await tree.children(eth)).length, 41);
    const transactions = await tree.children(blocks[0]);
    assert.deepEqual(labels([transactions[0]!, transactions.at(-1)!]), [
      'transfer | alice → 0xb0b0…b0b0',
      'Load more (5) | ',
    ]);
    await tree.loadMore(transactions.at(-1) as Extract<ChainsNode, { kind: 'more' }>);
    assert.equal((await tree.children(blocks[0])).length, 30);
  });

  it('adds new blocks before the shown ones', async () => {
    const { tree, facts, calls } = service();
    const [eth] = await tree.children();
    const more = (await tree.children(eth)).at(-1);
    await tree.loadMore(more as Extract<ChainsNode, { kind: 'more' }>);
    facts.head = 102;
    await tree.follow(['eth']);
    const blocks = await tree.children((await tree.children())[0]);
    assert.deepEqual(
      [blocks.length, labels(blocks)[0], labels(blocks)[2], labels(blocks).at(-2)],
      [
        43,
        '102 | 2 transactions · 1 min ago',
        '100 | 2 transactions · 1 min ago',
        '61 | 2 transactions · 1 min ago',
      ],
    );
    assert.deepEqual(calls.filter(([route]) => route === 'listBlocks').at(-1), [
      'listBlocks',
      { params: { chain: 'eth' }, query: { before: '103', limit: 2 } },
    ]);
  });

  it('asks the sandbox for no new blocks, and a closed chain of public endpoints neither', async () => {
    const { tree, calls } = service();
    const [, , others] = await tree.children();
    await tree.children((await tree.children(others))[0]);
    calls.length = 0;
    await tree.follow([]);
    assert.deepEqual(calls, [['getChainHealth', { params: { chain: 'eth' } }]]);
    await tree.follow(['base', 'sandbox']);
    assert.equal(calls.length, 3);
  });

  it('says why a chain cannot be read, and reads it after a refresh', async () => {
    const { tree, facts } = service();
    facts.fails = new ApiError('upstreamUnreachable', 'the node of eth does not answer');
    const [eth] = await tree.children();
    assert.deepEqual(labels([eth!]), ['ETH | no answer']);
    const [problem] = await tree.children(eth);
    assert.deepEqual(labels([problem!]), ['The node of eth does not answer. | click to retry']);
    assert.equal(displayOf(problem!, NOW).command?.id, 'forklens.refreshChains');
    facts.fails = undefined;
    tree.forget();
    assert.deepEqual(labels([(await tree.children())[0]!]), [
      'ETH | block 100 · now · no debug API',
    ]);
  });

  it('shows a block without transactions, transfers, creations and failures', async () => {
    const { tree, facts } = service();
    const [eth] = await tree.children();
    const [first] = await tree.children(eth);
    facts.count = 0;
    assert.deepEqual(labels(await tree.children(first)), ['No transactions | ']);
    const page = { block: block(7), nativeSymbol: 'ETH', labels: {} };
    const node = (more: Partial<BlockTransaction>): ChainsNode => ({
      kind: 'blockTransaction',
      chain: 'eth',
      page,
      story: undefined,
      transaction: transaction(0, more),
    });
    const created = `0x${'c0'.repeat(20)}`;
    assert.deepEqual(
      labels([
        node({ method: '', selector: '', value: '1.5' }),
        node({ method: '', status: false }),
        node({ to: null, created, method: '', selector: '' }),
        node({ to: null, status: false }),
      ]),
      [
        'native transfer | 0xa1a1…a1a1 → 0xb0b0…b0b0 · 1.5 ETH',
        '0xa9059cbb | 0xa1a1…a1a1 → 0xb0b0…b0b0 · reverted',
        'create contract | 0xa1a1…a1a1 → 0xc0c0…c0c0',
        'create contract | 0xa1a1…a1a1 · reverted',
      ],
    );
    const unknown = displayOf(node({ status: null, gasUsed: null }), NOW);
    assert.equal(unknown.icon.id, 'circle-outline');
    assert.match(unknown.accessibilityLabel!, /outcome unknown$/);
  });
});
