import { forkView, newForkView, snapshotsView, snapshotView } from './fork-view';
import { counted, grouped, relativeTime, shortHex, utc } from './format';
import { escapeMarkdown, tooltip } from './tooltip';
import type { AccountNode, ForkNode, ProjectNode, TransactionNode, TreeNode } from './tree-node';
import type { NodeView } from './view';

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
    case 'newFork':
      return newForkView(node);
    case 'snapshots':
      return snapshotsView(node);
    case 'snapshot':
      return snapshotView(node, nowMs);
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
            tooltip:
              'Copy the RPC URL of the fork and send a transaction to it: it appears here at once.',
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
