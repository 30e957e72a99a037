import * as l10n from '@vscode/l10n';
import type { ChainHealth, StoryTransaction } from '../../server/api/chain-explorer';
import { counted, grouped, relativeTime, utc } from '../../server/client/format';
import type { CommandId } from '../model/commands';
import { SANDBOX } from '../model/sandbox';
import { escapeMarkdown, tooltip } from '../ui/tooltip';
import type { BlockNode, BlockTransactionNode, ChainNode, ChainsNode } from '../model/chain-node';
import { keyOf } from './chain-tree';
import { watchDisplay } from './watch-display';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';

/** A node as the editor shows it, without the editor's types. */
export interface ChainDisplay {
  id: string;
  label: string;
  description?: string;
  icon: { id: string; color?: string };
  /** Markdown. */
  tooltip?: string;
  collapsed?: boolean;
  /** `viewItem` of its context menu. */
  context: string;
  command?: { id: CommandId; title: string; argument: unknown };
  accessibilityLabel?: string;
}

export type Shown = Omit<ChainDisplay, 'id' | 'context'>;

const PASSED = { id: 'pass', color: 'testing.iconPassed' };
const FAILED = { id: 'error', color: 'testing.iconFailed' };

/** @param nowMs Unix time in milliseconds, to compute ages */
export function displayOf(node: ChainsNode, nowMs: number): ChainDisplay {
  return { id: keyOf(node), context: node.kind, ...shown(node, nowMs) };
}

function shown(node: ChainsNode, nowMs: number): Shown {
  switch (node.kind) {
    case 'chain':
      return chainDisplay(node, nowMs);
    case 'watches':
      return {
        label: l10n.t('Watched'),
        description: grouped(node.count),
        icon: { id: 'eye' },
        collapsed: false,
      };
    case 'watch':
      return watchDisplay(node.view, nowMs);
    case 'watchTransaction': {
      const { transaction, page } = node.match;
      const { watch } = node.view;
      const { blockNumber: number } = transaction;
      return transactionDisplay({
        chain: watch.chain,
        transaction,
        story: undefined,
        page: { ...page, block: { number } },
      });
    }
    case 'others':
      return {
        label: l10n.t('Other chains'),
        description: l10n.t('{0}, by public endpoints', counted(node.chains.length, 'chain')),
        icon: { id: 'globe' },
        tooltip: l10n.t(
          'Public endpoints of other people are asked about a chain when you open it here.',
        ),
        collapsed: true,
      };
    case 'story':
      return {
        label: l10n.t('Story'),
        description: l10n.t('{0} to learn from', counted(node.count, 'transaction')),
        icon: { id: 'book' },
        collapsed: false,
      };
    case 'storyTransaction':
      return storyDisplay(node.chain, node.entry);
    case 'block':
      return blockDisplay(node, nowMs);
    case 'blockTransaction':
      return transactionDisplay(node);
    case 'more':
      return {
        label:
          node.left === null || node.of === 'blocks'
            ? l10n.t('Load more')
            : l10n.t('Load more ({0})', grouped(node.left)),
        icon: { id: 'ellipsis' },
        command: {
          id: 'forklens.loadMoreOfChain',
          title: l10n.t('Load More'),
          argument: { node },
        },
      };
    case 'empty':
      return { label: l10n.t('No transactions'), icon: { id: 'circle-outline' } };
    case 'problem':
      return {
        label: node.message,
        description: l10n.t('click to retry'),
        icon: { id: 'error', color: 'list.errorForeground' },
        tooltip: escapeMarkdown(node.message),
        command: { id: 'forklens.refreshChains', title: l10n.t('Retry'), argument: undefined },
      };
  }
}

function chainDisplay({ chain, health }: ChainNode, nowMs: number): Shown {
  const { slug, name, chainId } = chain;
  const facts = [l10n.t('{0}, chain id {1}', slug, chainId)];
  const base = { label: name, collapsed: slug !== SANDBOX };
  if (health === undefined) {
    return { ...base, icon: { id: 'circle-outline' }, tooltip: tooltip(name, facts, undefined) };
  }
  if ('problem' in health) {
    return {
      ...base,
      description: l10n.t('no answer'),
      icon: { id: 'warning', color: 'list.warningForeground' },
      tooltip: tooltip(name, [...facts, health.problem], undefined),
    };
  }
  return {
    ...base,
    description: [
      l10n.t('block {0}', grouped(health.head)),
      ...(slug === SANDBOX ? [] : [relativeTime(health.timestamp, nowMs)]),
      ...(health.debugApi === false ? [l10n.t('no debug API')] : []),
    ].join(' · '),
    icon: { id: 'circle-filled', color: 'testing.iconPassed' },
    tooltip: tooltip(name, [...facts, ...healthFacts(health)], undefined),
    accessibilityLabel: l10n.t('Chain {0}, newest block {1}', name, grouped(health.head)),
  };
}

function healthFacts(health: ChainHealth): string[] {
  const { head, timestamp, latencyMs, client, debugApi, stateDepth } = health;
  return [
    l10n.t('newest block {0}, {1} UTC', grouped(head), utc(timestamp)),
    l10n.t('answered in {0} ms', grouped(latencyMs)),
    ...(client === '' ? [] : [l10n.t('node {0}', client)]),
    debugFact(debugApi),
    ...(stateDepth === null ? [] : [depthFact(stateDepth, head)]),
  ];
}

function debugFact(debugApi: boolean | null): string {
  if (debugApi === null) return l10n.t('debug API unknown');
  return debugApi
    ? l10n.t('debug API: traces come from the node')
    : l10n.t('no debug API: transactions are replayed on this machine');
}

const depthFact = (depth: number, head: number): string =>
  depth >= head
    ? l10n.t('archive: the state of every block')
    : l10n.t('state of the last {0}', counted(depth, 'block'));

function blockDisplay({ block }: BlockNode, nowMs: number): Shown {
  const { number, timestamp, transactionCount, gasUsed, gasLimit, hash } = block;
  const percent = gasLimit === 0 ? 0 : Math.round((gasUsed / gasLimit) * 100);
  const transactions = counted(transactionCount, 'transaction');
  return {
    label: grouped(number),
    description: [transactions, relativeTime(timestamp, nowMs)].join(' · '),
    icon: { id: 'package' },
    tooltip: tooltip(
      l10n.t('Block {0}', grouped(number)),
      [
        l10n.t('{0} UTC', utc(timestamp)),
        transactions,
        l10n.t('gas {0} of {1} ({2}%)', grouped(gasUsed), grouped(gasLimit), percent),
      ],
      hash,
    ),
    collapsed: true,
    accessibilityLabel: l10n.t('Block {0}, {1}', grouped(number), transactions),
  };
}

function storyDisplay(chain: string, entry: StoryTransaction): Shown {
  const { title, shows, fails, hash, blockNumber, position } = entry;
  return {
    label: title,
    description: `${blockNumber}:${position}`,
    icon: fails ? FAILED : PASSED,
    tooltip: tooltip(title, [shows], hash),
    command: analyze(chain, hash),
    accessibilityLabel: fails ? l10n.t('{0}, fails on purpose', title) : title,
  };
}

function transactionDisplay({
  chain,
  transaction,
  page,
  story,
}: Pick<BlockTransactionNode, 'chain' | 'transaction' | 'story'> & {
  page: Pick<BlockTransactionNode['page'], 'labels' | 'nativeSymbol'> & {
    block: { number: number };
  };
}): Shown {
  const { status, hash, position, gasUsed, from, to } = transaction;
  const title = transactionTitle(transaction);
  const detail = transactionDetail(transaction, page);
  return {
    label: title,
    description: detail,
    icon: status === null ? { id: 'circle-outline' } : status ? PASSED : FAILED,
    tooltip: tooltip(
      story?.title ?? title,
      [
        ...(story === undefined ? [] : [story.shows]),
        l10n.t('block {0}, position {1}', grouped(page.block.number), position),
        l10n.t('from `{0}` to {1}', from, to === null ? l10n.t('a new contract') : `\`${to}\``),
        ...(gasUsed === null ? [] : [l10n.t('gas {0}', grouped(gasUsed))]),
      ],
      hash,
    ),
    command: analyze(chain, hash),
    accessibilityLabel: [
      l10n.t('Transaction {0}', title),
      detail,
      ...(status === null ? [l10n.t('outcome unknown')] : []),
    ].join(', '),
  };
}

const analyze = (chain: string, transaction: string): NonNullable<Shown['command']> => ({
  id: 'forklens.openTransaction',
  title: l10n.t('Analyze Transaction'),
  argument: { chain, transaction },
});
