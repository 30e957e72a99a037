import type { Fork, ForkState } from '../../server/api/fork';
import type { CommandId } from '../commands/commands';
import { counted, grouped, relativeTime, shortHex, utc } from './format';
import type { AccountNode, ForkNode, ProjectNode, TransactionNode, TreeNode } from './tree-node';

/** What a user may do with a node; menus of the manifest ask for these words in `viewItem`. */
type NodeAction =
  | 'createFork'
  | 'delete'
  | 'copyId'
  | 'copyRpcUrl'
  | 'copyHash'
  | 'analyze'
  | 'refresh'
  | 'account';

/** A node as the editor shows it, without the editor's types. */
export interface NodeView {
  /** Stable over refreshes, so that expansion and selection stay. */
  id: string;
  label: string;
  description?: string;
  /** A codicon, and a theme colour where the colour has a meaning. */
  icon?: { id: string; color?: string };
  /** Markdown. */
  tooltip?: string;
  collapsed?: boolean;
  actions: readonly NodeAction[];
  /** Runs on a click, with the node as its argument. */
  command?: { id: CommandId; title: string };
  accessibilityLabel?: string;
}

/** `viewItem` of a node's context menus. */
export function contextValue({ actions }: NodeView, kind: TreeNode['kind']): string {
  return [kind, ...actions.map((action) => `can:${action}`)].join(' ');
}

/** @param nowMs Unix time in milliseconds, for ages */
export function viewOf(node: TreeNode, nowMs: number): NodeView {
  switch (node.kind) {
    case 'project':
      return projectView(node);
    case 'fork':
      return forkView(node);
    case 'transaction':
      return transactionView(node, nowMs);
    case 'account':
      return accountView(node);
    case 'loadMore':
      return {
        id: `more:${node.parent.fork.forkId}`,
        label: `Load more (${grouped(node.remaining)} older)`,
        icon: { id: 'ellipsis' },
        actions: [],
        command: { id: 'forklens.loadMoreTransactions', title: 'Load More Transactions' },
      };
    case 'empty':
      return node.parent.kind === 'project'
        ? {
            id: `empty:${node.parent.project.projectId}`,
            label: 'Create a fork…',
            icon: { id: 'add' },
            actions: [],
            command: { id: 'forklens.createFork', title: 'Create Fork' },
          }
        : {
            id: `empty:${node.parent.fork.forkId}`,
            label: 'No transactions yet',
            description: 'send one to the RPC URL',
            tooltip: 'Copy the RPC URL of the fork and send a transaction to it, then refresh.',
            actions: [],
          };
    case 'error':
      return {
        id: `error:${parentId(node.parent)}`,
        label: node.message,
        description: 'click to retry',
        icon: { id: 'error', color: 'list.errorForeground' },
        tooltip: `${escapeMarkdown(node.message)}\n\nClick to try again.`,
        actions: [],
        command: { id: 'forklens.refresh', title: 'Retry' },
      };
  }
}

function projectView({ project, detail, expanded }: ProjectNode): NodeView {
  const collaborators = detail?.collaboratorDetail.collaborators ?? [];
  const daily = detail?.stats.dailyTransactionQuantity ?? 0;
  const monthly = detail?.stats.monthlyTransactionQuantity ?? 0;
  const facts = [
    ...(detail === undefined
      ? []
      : [
          counted(detail.fokDetail.length, 'fork'),
          `${counted(daily, 'transaction')} today, ${grouped(monthly)} this month (UTC)`,
          ...(detail.role === 'collaborator' ? ['shared with you'] : []),
        ]),
    ...(collaborators.length === 0
      ? []
      : [`with ${collaborators.map(({ nickname }) => nickname).join(', ')}`]),
    `created ${project.createTime.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return {
    id: project.projectId,
    label: project.name,
    ...(monthly === 0
      ? {}
      : { description: `${grouped(daily)} today · ${grouped(monthly)} this month` }),
    icon: { id: detail?.role === 'collaborator' ? 'organization' : 'folder' },
    tooltip: tooltip(project.name, facts, project.projectId),
    collapsed: !expanded,
    actions: [
      'createFork',
      'copyId',
      'refresh',
      ...(detail?.role === 'collaborator' ? [] : (['delete'] as const)),
    ],
    accessibilityLabel: `Project ${project.name}`,
  };
}

const FORK_ICONS: Record<ForkState, { id: string; color?: string }> = {
  creating: { id: 'loading~spin' },
  running: { id: 'circle-filled', color: 'testing.iconPassed' },
  sleeping: { id: 'circle-outline' },
  failed: { id: 'error', color: 'list.errorForeground' },
  deleting: { id: 'loading~spin' },
};

/** `eth @ 19,000,123:7`, without the position where the whole block is applied. */
export function forkPoint({ chain, height, position }: Fork): string {
  return `${chain} @ ${grouped(BigInt(height))}${position === null ? '' : `:${position}`}`;
}

function forkPointInWords({ height, position }: Fork): string {
  const block = `block ${grouped(BigInt(height))}`;
  if (position === null) return `after ${block}`;
  if (position === 0) return `in front of ${block}`;
  return `after ${counted(position, 'transaction')} of ${block}`;
}

function forkView({ fork }: ForkNode): NodeView {
  const replay = fork.rpcChainId === fork.chainId ? [] : [`chain id ${fork.rpcChainId}`];
  return {
    id: fork.forkId,
    label: fork.name,
    description: [forkPoint(fork), fork.state, ...replay].join(' · '),
    icon: FORK_ICONS[fork.state],
    tooltip: tooltip(
      fork.name,
      [
        `${fork.chain} (chain id ${fork.chainId}), ${forkPointInWords(fork)}`,
        `${fork.state}${fork.state === 'sleeping' ? ': the next request wakes it' : ''}`,
        fork.antiReplay
          ? `anti-replay: transactions are signed for chain id ${fork.rpcChainId}`
          : `answers as chain id ${fork.rpcChainId}`,
        `created ${fork.createTime.slice(0, 16).replace('T', ' ')} UTC`,
      ],
      fork.forkId,
    ),
    collapsed: true,
    actions: ['copyRpcUrl', 'copyId', 'analyze', 'refresh', 'delete'],
    accessibilityLabel: `Fork ${fork.name}, ${fork.chain} ${forkPointInWords(fork)}, ${fork.state}`,
  };
}

/** What a transaction does, in a word or two. */
export function transactionLabel({ method, selector, to }: TransactionNode['transaction']): string {
  if (to === null) return 'create contract';
  return method || selector || 'native transfer';
}

function transactionView({ parent, transaction }: TransactionNode, nowMs: number): NodeView {
  const label = transactionLabel(transaction);
  const status = transaction.status ? 'succeeded' : 'reverted';
  const to = transaction.to === null ? 'a new contract' : `\`${transaction.to}\``;
  return {
    id: `transaction:${parent.fork.forkId}:${transaction.hash}`,
    label,
    description: [
      relativeTime(transaction.timestamp, nowMs),
      ...(transaction.status ? [] : [status]),
    ].join(' · '),
    icon: transaction.status
      ? { id: 'pass', color: 'testing.iconPassed' }
      : { id: 'error', color: 'testing.iconFailed' },
    tooltip: tooltip(
      `${label} ${status}`,
      [
        `block ${grouped(transaction.blockNumber)}, position ${transaction.transactionIndex}, ${utc(transaction.timestamp)} UTC`,
        `from \`${transaction.from}\` to ${to}`,
        `value ${transaction.value}, gas ${grouped(transaction.gasUsed)}`,
      ],
      transaction.hash,
    ),
    actions: ['analyze', 'copyHash'],
    command: { id: 'forklens.analyzeTransaction', title: 'Analyze Transaction' },
    accessibilityLabel: `Transaction ${label}, ${status}, ${shortHex(transaction.hash)}`,
  };
}

function accountView({ account, serviceUrl, remote }: AccountNode): NodeView {
  const facts = [
    remote ? serviceUrl : `bundled service at ${serviceUrl}`,
    `the key may: ${account.scopes.join(', ')}`,
    `up to ${counted(account.projectLimit, 'project')}`,
  ];
  return {
    id: 'account',
    label: account.nickname,
    description: remote ? new URL(serviceUrl).host : 'this machine',
    icon: { id: 'account' },
    tooltip: tooltip(account.nickname, [account.email, ...facts], undefined),
    actions: ['account'],
    accessibilityLabel: `Account ${account.nickname}`,
  };
}

function parentId(parent: ProjectNode | ForkNode | undefined): string {
  if (parent === undefined) return 'root';
  return parent.kind === 'project' ? parent.project.projectId : parent.fork.forkId;
}

/** @param facts Markdown, one per line */
function tooltip(title: string, facts: readonly string[], id: string | undefined): string {
  const lines = [`**${escapeMarkdown(title)}**`, ...facts.map(escapeOutsideCode)];
  return [lines.join('  \n'), ...(id === undefined ? [] : [`\`${id}\``])].join('\n\n');
}

function escapeOutsideCode(text: string): string {
  return text
    .split(/(`0x[0-9a-f]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join('');
}

/** Names come from users and collaborators: they must not become links or commands. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!~<>|$&]/g, '\\$&');
}
