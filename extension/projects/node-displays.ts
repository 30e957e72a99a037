import * as l10n from '@vscode/l10n';
import {
  forkDisplay,
  newForkDisplay,
  snapshotsDisplay,
  snapshotDisplay,
} from '../forks/fork-display';
import { contractDisplay, contractsDisplay, functionDisplay } from '../contracts/contract-display';
import { accountFacts } from './account-facts';
import { counted, grouped, relativeTime, shortHex, utc } from '../../server/client/format';
import { transactionLabel } from '../transactions/transaction-label';
import { escapeMarkdown, tooltip } from '../ui/tooltip';
import type {
  AccountNode,
  ForkNode,
  ProjectNode,
  TransactionNode,
  TreeNode,
} from '../model/tree-node';
import type { NodeDisplay } from '../model/node-display';

/** `viewItem` of a node's context menus. */
export function contextValue({ actions }: NodeDisplay, kind: TreeNode['kind']): string {
  return [kind, ...actions.map((action) => `can:${action}`)].join(' ');
}

/** @param nowMs Unix time in milliseconds, to compute ages */
export function displayOf(node: TreeNode, nowMs: number): NodeDisplay {
  switch (node.kind) {
    case 'project':
      return projectDisplay(node);
    case 'fork':
      return forkDisplay(node);
    case 'newFork':
      return newForkDisplay(node);
    case 'snapshots':
      return snapshotsDisplay(node);
    case 'snapshot':
      return snapshotDisplay(node, nowMs);
    case 'transaction':
      return transactionDisplay(node, nowMs);
    case 'contracts':
      return contractsDisplay(node);
    case 'contract':
      return contractDisplay(node);
    case 'function':
      return functionDisplay(node);
    case 'account':
      return accountDisplay(node);
    case 'loadMore':
      return {
        id: `more:${node.parent.fork.forkId}`,
        label: l10n.t('Load more ({0} older)', grouped(node.remaining)),
        icon: { id: 'ellipsis' },
        actions: [],
        command: { id: 'forklens.loadMoreTransactions', title: l10n.t('Load More Transactions') },
      };
    case 'empty':
      return node.parent.kind === 'project'
        ? {
            id: `empty:${node.parent.project.projectId}`,
            label: l10n.t('Create a fork…'),
            icon: { id: 'add' },
            actions: [],
            command: { id: 'forklens.createFork', title: l10n.t('Create Fork') },
          }
        : {
            id: `empty:${node.parent.fork.forkId}`,
            label: l10n.t('No transactions yet'),
            description: l10n.t('send one to the RPC URL'),
            tooltip: l10n.t(
              'Copy the RPC URL of the fork and send a transaction to it: it appears here at once.',
            ),
            actions: [],
          };
    case 'error':
      return {
        id: `error:${parentId(node.parent)}`,
        label: node.message,
        description: l10n.t('click to retry'),
        icon: { id: 'error', color: 'list.errorForeground' },
        tooltip: l10n.t('{0}\n\nClick to try again.', escapeMarkdown(node.message)),
        actions: [],
        command: { id: 'forklens.refresh', title: l10n.t('Retry') },
      };
  }
}

function projectDisplay({ project, detail, expanded }: ProjectNode): NodeDisplay {
  const collaborators = detail?.collaboratorDetail.collaborators ?? [];
  // Before the details are loaded, nothing is known of others.
  const isOwn = detail === undefined || detail.role === 'owner';
  const daily = detail?.stats.dailyTransactionQuantity ?? 0;
  const monthly = detail?.stats.monthlyTransactionQuantity ?? 0;
  const facts = [
    ...(detail === undefined
      ? []
      : [
          counted(detail.fokDetail.length, 'fork'),
          l10n.t(
            '{0} today, {1} this month (UTC)',
            counted(daily, 'transaction'),
            grouped(monthly),
          ),
          ...(detail.role === 'collaborator' ? [l10n.t('shared with you as editor')] : []),
          ...(detail.role === 'viewer' ? [l10n.t('shared with you as viewer')] : []),
        ]),
    ...(collaborators.length === 0
      ? []
      : [l10n.t('with {0}', collaborators.map(({ nickname }) => nickname).join(', '))]),
    l10n.t('created {0} UTC', project.createTime.slice(0, 16).replace('T', ' ')),
  ];
  return {
    id: project.projectId,
    label: project.name,
    ...(monthly === 0
      ? {}
      : { description: l10n.t('{0} today · {1} this month', grouped(daily), grouped(monthly)) }),
    icon: { id: isOwn ? 'folder' : 'organization' },
    tooltip: tooltip(project.name, facts, project.projectId),
    collapsed: !expanded,
    actions: [
      ...(detail?.role === 'viewer' ? [] : (['createFork'] as const)),
      'copyId',
      'refresh',
      ...(isOwn ? (['delete'] as const) : []),
    ],
    accessibilityLabel: l10n.t('Project {0}', project.name),
  };
}

function transactionDisplay(node: TransactionNode, nowMs: number): NodeDisplay {
  const { parent, transaction } = node;
  const label = transactionLabel(node);
  const status = transaction.status ? l10n.t('succeeded') : l10n.t('reverted');
  const to = transaction.to === null ? l10n.t('a new contract') : `\`${transaction.to}\``;
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
        l10n.t(
          'block {0}, position {1}, {2} UTC',
          grouped(transaction.blockNumber),
          transaction.transactionIndex,
          utc(transaction.timestamp),
        ),
        l10n.t('from `{0}` to {1}', transaction.from, to),
        l10n.t('value {0}, gas {1}', transaction.value, grouped(transaction.gasUsed)),
      ],
      transaction.hash,
    ),
    actions: ['analyze', 'copyHash'],
    command: { id: 'forklens.analyzeTransaction', title: l10n.t('Analyze Transaction') },
    accessibilityLabel: l10n.t(
      'Transaction {0}, {1}, {2}',
      label,
      status,
      shortHex(transaction.hash),
    ),
  };
}

function accountDisplay(node: AccountNode): NodeDisplay {
  const { account, serviceUrl, remote } = node;
  const facts = [
    remote ? serviceUrl : l10n.t('bundled service at {0}', serviceUrl),
    l10n.t('the key may: {0}', account.scopes.join(', ')),
    l10n.t('up to {0}', counted(account.projectLimit, 'project')),
    ...accountFacts(node),
  ];
  return {
    id: 'account',
    label: account.nickname,
    description: remote ? new URL(serviceUrl).host : l10n.t('this machine'),
    icon: { id: 'account' },
    tooltip: tooltip(account.nickname, [account.email, ...facts], undefined),
    actions: ['account'],
    accessibilityLabel: l10n.t('Account {0}', account.nickname),
  };
}

function parentId(parent: ProjectNode | ForkNode | undefined): string {
  if (parent === undefined) return 'root';
  return parent.kind === 'project' ? parent.project.projectId : parent.fork.forkId;
}
