import { setTimeout as delay } from 'node:timers/promises';
import type {
  BlockTransactions,
  ListedBlock,
  ListedBlocks,
  StoryTransaction,
} from '../../server/api/chain-explorer';
import type { PublicChain } from '../../server/api/config';
import type { ApiClient } from '../model/api-client';
import { reportOf } from '../model/errors';
import { SANDBOX } from '../model/sandbox';
import type { ChainNode, ChainsNode, Health } from '../model/chain-node';
import { watchKey, type Watches } from '../model/watch';

/** Longer would seem slow. */
const QUICK_MS = 300;
const STORY_PAGE = 12;
/** What a newcomer sees first, in this order: a trade, a failure, two attacks on pools and vaults, an account with code. */
const HIGHLIGHTS = [
  'swap-two-hops',
  'custom-error-three-deep',
  'flash-loan',
  'exploit-reentrancy',
  'eip7702-batch',
];
const BLOCKS_PAGE = 20;
const TRANSACTIONS_PAGE = 25;
/** The most that the service lists in one answer. */
const MAX_PAGE = 100;
/** Blocks of a chain that are shown. */
const MAX_BLOCKS = 1_000;
/** Blocks whose transactions are kept. */
const MAX_KEPT = 50;

/** Loads the chains, their blocks and their transactions, page by page, without the editor's API. */
export class ChainTree {
  #chains: readonly PublicChain[] = [];
  readonly #health = new Map<string, Health>();
  readonly #stories = new Map<string, Promise<readonly StoryTransaction[]>>();
  readonly #storyShown = new Map<string, number>();
  readonly #blocks = new Map<string, ListedBlocks>();
  /** By chain and hash of the block. */
  readonly #transactions = new Map<string, BlockTransactions>();

  /** Questions that are not answered yet. */
  readonly #asking = new Map<string, Promise<Health>>();

  /** @param onChange called when a node has answered after its chain was shown */
  constructor(
    private readonly client: ApiClient,
    private readonly onChange: () => void,
    private readonly watches: Pick<Watches, 'list'> = { list: () => [] },
  ) {}

  /** Never rejects: what cannot be loaded is a node that says why. */
  async children(node?: ChainsNode): Promise<ChainsNode[]> {
    try {
      return await this.#load(node);
    } catch (error) {
      const message = reportOf(error)?.message ?? '';
      return [{ kind: 'problem', of: node === undefined ? 'chains' : keyOf(node), message }];
    }
  }

  async #load(node: ChainsNode | undefined): Promise<ChainsNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.#roots();
      case 'watches':
        return this.watches.list().map((view) => ({ kind: 'watch', view }));
      case 'watch':
        return node.view.matches.map((match) => ({
          kind: 'watchTransaction',
          view: node.view,
          match,
        }));
      case 'others':
        return node.chains.map((chain) => this.#chainNode(chain));
      case 'chain':
        return this.#ofChain(node);
      case 'story':
        return this.#ofStory(node.chain);
      case 'block':
        return this.#ofBlock(node.chain, node.block);
      default:
        return [];
    }
  }

  /** Shows one page more. */
  async loadMore({ chain, of }: Extract<ChainsNode, { kind: 'more' }>): Promise<void> {
    if (of === 'story') {
      this.#storyShown.set(chain, this.#storyCount(chain) + STORY_PAGE);
    } else if (of === 'blocks') {
      const loaded = this.#blocks.get(chain);
      if (loaded === undefined || loaded.next === null) return;
      const query = { before: String(loaded.next), limit: BLOCKS_PAGE };
      const { blocks, next } = await this.client.call('listBlocks', { params: { chain }, query });
      this.#blocks.set(chain, { ...loaded, blocks: [...loaded.blocks, ...blocks], next });
    } else {
      const key = `${chain} ${of.block}`;
      const loaded = this.#transactions.get(key);
      if (loaded === undefined || loaded.next === null) return;
      const page = await this.#transactionsOf(chain, of.block, loaded.next);
      const transactions = [...loaded.transactions, ...page.transactions];
      const labels = { ...loaded.labels, ...page.labels };
      this.#keep(key, { ...page, labels, transactions });
    }
  }

  /** Forgets everything that may have changed. */
  forget(): void {
    this.#health.clear();
    this.#stories.clear();
    this.#transactions.clear();
    for (const [chain, { blocks }] of this.#blocks) {
      this.#blocks.set(chain, { head: -1, blocks, next: null });
    }
  }

  /**
   * Asks the nodes of the shown chains for their newest block: of those with an endpoint of the user's, and of the given ones. The
   * sandbox mines no blocks, and is not asked.
   * @param expanded slugs
   */
  async follow(expanded: readonly string[]): Promise<void> {
    const own = this.#chains.flatMap(({ slug, hasOwnEndpoint }) => (hasOwnEndpoint ? [slug] : []));
    const asked = [...new Set([...own, ...expanded])].filter(
      (chain) => chain !== SANDBOX && this.#health.get(chain) !== undefined,
    );
    await Promise.all(asked.map((chain) => this.#askHealth(chain)));
  }

  async #roots(): Promise<ChainsNode[]> {
    this.#chains = await this.client.call('listChains', {});
    const own = this.#chains.filter(({ hasOwnEndpoint }) => hasOwnEndpoint === true);
    const others = this.#chains.filter(({ hasOwnEndpoint }) => hasOwnEndpoint !== true);
    await this.#askNew(own.map(({ slug }) => slug));
    const { length: count } = this.watches.list();
    return [
      ...(count === 0 ? [] : [{ kind: 'watches' as const, count }]),
      ...own.map((chain) => this.#chainNode(chain)),
      ...(others.length === 0 ? [] : [{ kind: 'others' as const, chains: others }]),
    ];
  }

  #chainNode(chain: PublicChain): ChainNode {
    return { kind: 'chain', chain, health: this.#health.get(chain.slug) };
  }

  /** Quick answers are shown at once. One node that does not answer does not hide the others. */
  async #askNew(chains: readonly string[]): Promise<void> {
    const unknown = chains.filter((chain) => this.#health.get(chain) === undefined);
    const asked = Promise.all(unknown.map((chain) => this.#askHealth(chain)));
    const isLate = await Promise.race([asked.then(() => false), delay(QUICK_MS, true)]);
    if (isLate) void asked.then(this.onChange);
  }

  #askHealth(chain: string): Promise<Health> {
    const asked = this.#asking.get(chain) ?? this.#healthOf(chain);
    this.#asking.set(chain, asked);
    return asked.finally(() => this.#asking.delete(chain));
  }

  /** Never rejects. */
  async #healthOf(chain: string): Promise<Health> {
    let health: Health;
    try {
      health = await this.client.call('getChainHealth', { params: { chain } });
    } catch (error) {
      health = { problem: reportOf(error)?.message ?? '' };
    }
    this.#health.set(chain, health);
    return health;
  }

  async #ofChain({ chain: { slug } }: ChainNode): Promise<ChainsNode[]> {
    const health = this.#health.get(slug) ?? (await this.#askHealth(slug));
    if (health !== undefined && 'problem' in health) {
      return [{ kind: 'problem', of: slug, message: health.problem }];
    }
    const story = await this.#storyOf(slug);
    const { blocks, next } = await this.#blocksOf(slug, health?.head ?? 0);
    return [
      ...(story.length === 0 ? [] : [{ kind: 'story' as const, chain: slug, count: story.length }]),
      ...blocks.map((block) => ({ kind: 'block' as const, chain: slug, block })),
      ...(next === null
        ? []
        : [{ kind: 'more' as const, chain: slug, of: 'blocks' as const, left: null }]),
    ];
  }

  /** The shown blocks, with those that were mined since. */
  async #blocksOf(chain: string, head: number): Promise<ListedBlocks> {
    const loaded = this.#blocks.get(chain);
    if (loaded?.head === head) return loaded;
    const shown = loaded?.blocks.length ?? 0;
    const mined = loaded === undefined ? 0 : head - loaded.head;
    const isNear = loaded !== undefined && loaded.head >= 0 && mined > 0 && mined <= MAX_PAGE;
    const limit = isNear ? mined : Math.min(MAX_PAGE, Math.max(BLOCKS_PAGE, shown));
    const query = { before: String(head + 1), limit };
    const page = await this.client.call('listBlocks', { params: { chain }, query });
    const blocks: ListedBlocks = isNear
      ? bounded({ head, blocks: [...page.blocks, ...loaded.blocks], next: loaded.next })
      : { ...page, head };
    this.#blocks.set(chain, blocks);
    return blocks;
  }

  async #ofStory(chain: string): Promise<ChainsNode[]> {
    const story = highlightsFirst(await this.#storyOf(chain));
    const count = this.#storyCount(chain);
    const left = story.length - count;
    return [
      ...story
        .slice(0, count)
        .map((entry) => ({ kind: 'storyTransaction' as const, chain, entry })),
      ...(left <= 0 ? [] : [{ kind: 'more' as const, chain, of: 'story' as const, left }]),
    ];
  }

  #storyOf(chain: string): Promise<readonly StoryTransaction[]> {
    const known = this.#stories.get(chain);
    if (known !== undefined) return known;
    const asked = this.client.call('listStory', { params: { chain } });
    this.#stories.set(chain, asked);
    asked.catch(() => this.#stories.delete(chain));
    return asked;
  }

  #storyCount = (chain: string): number => this.#storyShown.get(chain) ?? STORY_PAGE;

  async #ofBlock(chain: string, { hash }: ListedBlock): Promise<ChainsNode[]> {
    const key = `${chain} ${hash}`;
    const page = this.#transactions.get(key) ?? (await this.#transactionsOf(chain, hash, 0));
    this.#keep(key, page);
    const story = await this.#storyOf(chain);
    const { transactions, block, next } = page;
    if (transactions.length === 0) return [{ kind: 'empty', chain, block: hash }];
    return [
      ...transactions.map((transaction) => ({
        kind: 'blockTransaction' as const,
        chain,
        transaction,
        page,
        story: story.find((entry) => entry.hash === transaction.hash),
      })),
      ...(next === null
        ? []
        : [
            {
              kind: 'more' as const,
              chain,
              of: { block: hash },
              left: block.transactionCount - transactions.length,
            },
          ]),
    ];
  }

  #transactionsOf(chain: string, block: string, from: number): Promise<BlockTransactions> {
    const query = { from: String(from), limit: TRANSACTIONS_PAGE };
    return this.client.call('listBlockTransactions', { params: { chain, block }, query });
  }

  #keep(key: string, page: BlockTransactions): void {
    this.#transactions.delete(key);
    this.#transactions.set(key, page);
    const [oldest] = this.#transactions.keys();
    if (this.#transactions.size > MAX_KEPT && oldest !== undefined) {
      this.#transactions.delete(oldest);
    }
  }
}

/** Older blocks beyond the limit are loaded again when the user asks for more. */
function bounded({ head, blocks, next }: ListedBlocks): ListedBlocks {
  if (blocks.length <= MAX_BLOCKS) return { head, blocks, next };
  const kept = blocks.slice(0, MAX_BLOCKS);
  return { head, blocks: kept, next: kept.at(-1)?.number ?? null };
}

/** Identifies a node while its chain or block is shown. */
export function keyOf(node: ChainsNode): string {
  switch (node.kind) {
    case 'chain':
      return node.chain.slug;
    case 'watches':
      return 'watches';
    case 'watch':
      return `watch ${watchKey(node.view.watch)}`;
    case 'watchTransaction':
      return `watch ${watchKey(node.view.watch)} ${node.match.transaction.hash}`;
    case 'others':
      return 'others';
    case 'story':
      return `${node.chain} story`;
    case 'storyTransaction':
      return `${node.chain} story ${node.entry.hash}`;
    case 'block':
      return `${node.chain} ${node.block.hash}`;
    case 'blockTransaction':
      return `${node.chain} ${node.transaction.hash}`;
    case 'more':
      return `${node.chain} more ${typeof node.of === 'string' ? node.of : node.of.block}`;
    case 'empty':
      return `${node.chain} empty ${node.block}`;
    case 'problem':
      return `problem ${node.of}`;
  }
}

/** The story with its highlights before the rest, which keeps its order. */
function highlightsFirst(story: readonly StoryTransaction[]): StoryTransaction[] {
  const rank = ({ id }: StoryTransaction): number =>
    HIGHLIGHTS.includes(id) ? HIGHLIGHTS.indexOf(id) : HIGHLIGHTS.length;
  return story.toSorted((a, b) => rank(a) - rank(b));
}
