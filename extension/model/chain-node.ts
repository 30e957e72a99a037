import type {
  BlockTransaction,
  BlockTransactions,
  ChainHealth,
  ListedBlock,
  StoryTransaction,
} from '../../server/api/chain-explorer';
import type { PublicChain } from '../../server/api/config';
import type { WatchMatch, WatchView } from './watch';

/** What is known of a chain's node: not asked, an answer, or why there is none. */
export type Health = ChainHealth | { problem: string } | undefined;

export interface ChainNode {
  kind: 'chain';
  chain: PublicChain;
  health: Health;
}

export interface BlockNode {
  kind: 'block';
  chain: string;
  block: ListedBlock;
}

export interface BlockTransactionNode {
  kind: 'blockTransaction';
  chain: string;
  transaction: BlockTransaction;
  /** The answer that lists it. */
  page: Pick<BlockTransactions, 'labels' | 'nativeSymbol' | 'block'>;
  /** Set if the chain was made for it. */
  story: StoryTransaction | undefined;
}

/** A watched address or event. */
export interface WatchNode {
  kind: 'watch';
  view: WatchView;
}

/** A node of the view of chains. */
export type ChainsNode =
  | ChainNode
  | { kind: 'watches'; count: number }
  | WatchNode
  | { kind: 'watchTransaction'; view: WatchView; match: WatchMatch }
  /** The chains that have public endpoints only. */
  | { kind: 'others'; chains: readonly PublicChain[] }
  | { kind: 'story'; chain: string; count: number }
  | { kind: 'storyTransaction'; chain: string; entry: StoryTransaction }
  | BlockNode
  | BlockTransactionNode
  /** `of`: what more is loaded of. */
  | { kind: 'more'; chain: string; of: 'story' | 'blocks' | { block: string }; left: number | null }
  | { kind: 'empty'; chain: string; block: string }
  /** Replaces what could not be loaded; a click tries again. */
  | { kind: 'problem'; of: string; message: string };
