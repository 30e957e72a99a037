import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import type { ForkTransactions } from '../../../../server/api/fork';
import { ServiceUnavailableError } from '../../../../extension/model/errors';
import { contextValue, displayOf } from '../../../../extension/projects/node-displays';
import type { ForkContract } from '../../../../extension/model/fork-contract';
import type { ForkContracts } from '../../../../extension/model/fork-contracts';
import type { TreeNode } from '../../../../extension/model/tree-node';
import {
  defaultSnapshot,
  detail,
  fails,
  fork,
  lists,
  NO_CONTRACTS,
  NOW_MS,
  path,
  transaction,
  treeOf,
} from './tree-fixtures';

describe('project tree', () => {
  it('shows projects with their figures, and the account last', async () => {
    const nodes = await treeOf(lists).children();
    assert.deepEqual(
      nodes.map(({ kind }) => kind),
      ['project', 'account'],
    );
    const view = displayOf(nodes[0]!, NOW_MS);
    assert.equal(view.label, 'default');
    assert.equal(view.description, '12 today · 1,340 this month');
    assert.equal(
      contextValue(view, 'project'),
      'project can:createFork can:copyId can:refresh can:delete',
    );
    assert.equal(displayOf(nodes[1]!, NOW_MS).label, 'alice');
  });

  it('shows the roles of the user and the quotas of the account', async () => {
    const use = (used: number, limit: number | null) => ({ used, limit });
    const quota = {
      forks: use(3, 5),
      runningEngines: use(1, null),
      diskMegabytes: use(12.5, 4096),
      requestsPerMinute: use(0, null),
      analyses: use(0, 2),
    };
    const viewed = { ...detail, role: 'viewer' };
    const answers = { ...lists, getProject: () => viewed, getQuota: () => quota };
    const [shared, account] = await treeOf(answers).children();
    const { tooltip } = displayOf(account!, NOW_MS);
    assert.match(tooltip!, /owner of 0, editor of 0, viewer of 1/);
    assert.match(tooltip!, /forks: 3 of 5/);
    assert.match(tooltip!, /disk space: 12\.5 of 4,096 MiB/);
    assert.match(tooltip!, /analyses at a time: 0 of 2/);
    assert.doesNotMatch(tooltip!, /running forks|requests this minute/);
    const view = displayOf(shared!, NOW_MS);
    assert.match(view.tooltip!, /shared with you as viewer/);
    assert.equal(contextValue(view, 'project'), 'project can:copyId can:refresh');
  });

  it('shows a project without figures if its detail is not available', async () => {
    const [node] = await treeOf({ ...lists, getProject: fails(new Error('gone')) }).children();
    assert.equal(displayOf(node!, NOW_MS).description, undefined);
  });

  it('does not offer to delete a project that is shared with the user', async () => {
    const shared = { ...detail, role: 'collaborator' };
    const [node] = await treeOf({ ...lists, getProject: () => shared }).children();
    assert.doesNotMatch(contextValue(displayOf(node!, NOW_MS), 'project'), /can:delete/);
  });

  it('is empty without projects, so that the welcome view is shown', async () => {
    assert.deepEqual(await treeOf({ listProjects: () => [] }).children(), []);
  });

  it('shows the fork point and the state of a fork', async () => {
    const view = displayOf(await path(treeOf(lists), 0, 0), NOW_MS);
    assert.equal(view.description, 'eth @ 19,000,123:7 · running');
    assert.match(view.tooltip!, /after 7 transactions of block 19,000,123/);
    assert.doesNotMatch(JSON.stringify(view), /secret/);
    const replayed = { ...fork, position: null, antiReplay: true, rpcChainId: 9991 };
    const other = await path(treeOf({ ...lists, listForks: () => [replayed] }), 0, 0);
    assert.equal(
      displayOf(other, NOW_MS).description,
      'eth @ 19,000,123 · running · chain id 9991',
    );
  });

  it('offers to create the first fork', async () => {
    const view = displayOf(await path(treeOf({ ...lists, listForks: () => [] }), 0, 0), NOW_MS);
    assert.equal(view.label, 'Create a fork…');
    assert.equal(view.command?.id, 'forklens.createFork');
  });

  it('shows transactions with age and outcome, and loads older ones on request', async () => {
    const pages: Record<string, ForkTransactions> = {
      first: { total: 3, transactions: [transaction('1'), transaction('2')], nextCursor: '5-0' },
      '5-0': { total: 3, transactions: [{ ...transaction('3'), status: false }], nextCursor: null },
    };
    const tree = treeOf({
      ...lists,
      listForkTransactions: ({ query }) => pages[(query as { cursor?: string }).cursor ?? 'first'],
    });
    const forkNode = await path(tree, 0, 0);
    const before = await tree.children(forkNode);
    assert.deepEqual(
      before.map((node) => displayOf(node, NOW_MS).label),
      ['Snapshots', 'transfer', 'transfer', 'Load more (1 older)'],
    );
    const changed: (TreeNode | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node));
    const more = before[3]!;
    assert.ok(more.kind === 'loadMore');
    await tree.loadMore(more);
    assert.deepEqual(changed, [forkNode]);
    const after = await tree.children(forkNode);
    assert.deepEqual(
      after.map((node) => displayOf(node, NOW_MS).description),
      ['1', '2 min ago', '2 min ago', '2 min ago · reverted'],
    );
  });

  it('shows the contracts of a fork below it, and names a creation by its contract', async () => {
    const created = { ...transaction('1'), to: null, method: '', selector: '' };
    const failed = { ...created, hash: `0x${'3'.repeat(64)}`, status: false };
    const page = { total: 2, transactions: [created, failed], nextCursor: null };
    const till: ForkContract = {
      address: `0x${'c'.repeat(40)}`,
      name: 'Till',
      origin: 'deployed',
      abi: [],
      transaction: created.hash,
    };
    const looked: string[] = [];
    const contracts: ForkContracts = {
      ...NO_CONTRACTS,
      of: (forkId) => (forkId === fork.forkId ? [till] : []),
      recognise: (_, creations) => looked.push(...creations.map(({ hash }) => hash)),
    };
    const answers = { ...lists, listForkTransactions: () => page };
    const tree = treeOf(answers, undefined, undefined, contracts);
    const children = await tree.children(await path(tree, 0, 0));
    assert.deepEqual(
      children.map((node) => displayOf(node, NOW_MS).label),
      ['Snapshots', 'Contracts', 'Till deployed', 'create contract'],
    );
    assert.deepEqual(looked, [created.hash]);
    const [node] = await tree.children(children[1]);
    const view = displayOf(node!, NOW_MS);
    assert.deepEqual([view.label, view.description], ['Till', '0xcccc…cccc']);
    assert.equal(contextValue(view, 'contract'), 'contract can:copyAddress can:delete');
  });

  it('shows an error as a node that tries again', async () => {
    const error = new ApiError('timedOut', 'it took longer than 30 s');
    const [node, ...rest] = await treeOf({ listProjects: fails(error) }).children();
    assert.deepEqual(rest, []);
    const view = displayOf(node!, NOW_MS);
    assert.equal(view.label, 'It took longer than 30 s.');
    assert.equal(view.command?.id, 'forklens.refresh');
  });

  it('is empty if the service is stopped or the user signed out, so that the welcome view is shown', async () => {
    const stopped = new ServiceUnavailableError('stopped', 'the service is stopped');
    assert.deepEqual(await treeOf({ listProjects: fails(stopped) }).children(), []);
    const missing = fails(new ApiError('keyMissing', 'not signed in'));
    assert.deepEqual(await treeOf({ listProjects: missing }, { kind: 'signedOut' }).children(), []);
    const gone = fails(new ApiError('upstreamUnreachable', 'the service does not answer'));
    const failed = { kind: 'failed', message: 'it is gone' } as const;
    assert.deepEqual(await treeOf({ listProjects: gone }, undefined, failed).children(), []);
  });

  it('escapes names in tooltips', async () => {
    const named = { ...fork, name: '[x](command:evil)' };
    const view = displayOf(
      await path(treeOf({ ...lists, listForks: () => [named] }), 0, 0),
      NOW_MS,
    );
    assert.match(view.tooltip!, /^\*\*\\\[x\\\]\\\(command:evil\\\)\*\*/);
  });

  it('marks a fork whose journal is almost full', async () => {
    const journal = { bytes: 900 * 2 ** 20, maxBytes: 1024 * 2 ** 20, isNearlyFull: true };
    const listForks = () => [{ ...fork, journal }];
    const view = displayOf(await path(treeOf({ ...lists, listForks }), 0, 0), NOW_MS);
    assert.match(view.description!, /running · almost full$/);
    assert.match(view.tooltip!, /most of the space allowed \\\(900 of 1,024 MB\\\)/);
  });

  it('shows the warnings of the service', async () => {
    const listForks = () => [{ ...fork, warnings: ['the keys are public', 'no EraVM'] }];
    const view = displayOf(await path(treeOf({ ...lists, listForks }), 0, 0), NOW_MS);
    assert.match(view.tooltip!, /\n⚠ the keys are public {2}\n⚠ no EraVM {2}\n/);
  });

  it('shows the number of transactions of a fork, and why one failed', async () => {
    const busy = { ...fork, transactionCount: 1200 };
    const broken = {
      ...fork,
      forkId: `fork_${'f'.repeat(32)}`,
      state: 'failed',
      failure: 'its journal is damaged',
    };
    const tree = treeOf({ ...lists, listForks: () => [busy, broken] });
    const [first, second] = await tree.children((await tree.children())[0]);
    assert.equal(displayOf(first!, NOW_MS).description, 'eth @ 19,000,123:7 · running · 1,200 tx');
    const view = displayOf(second!, NOW_MS);
    assert.equal(view.description, 'eth @ 19,000,123:7 · failed: its journal is damaged');
    assert.ok(view.actions.includes('retry') && !view.actions.includes('start'));
  });

  it('offers to start a sleeping fork', async () => {
    const asleep = { ...fork, state: 'sleeping' };
    const view = displayOf(
      await path(treeOf({ ...lists, listForks: () => [asleep] }), 0, 0),
      NOW_MS,
    );
    assert.deepEqual(view.icon, { id: 'circle-outline' });
    assert.ok(view.actions.includes('start'));
  });

  it('lists snapshots below the fork; the default one can be restored but not deleted', async () => {
    const funded = { ...defaultSnapshot, snapshotId: '2e8b', name: 'funded', isDefault: false };
    const tree = treeOf({
      ...lists,
      listSnapshots: () => [defaultSnapshot, funded],
      listForkTransactions: () => ({ total: 0, transactions: [], nextCursor: null }),
    });
    const [group] = await tree.children(await path(tree, 0, 0));
    assert.equal(displayOf(group!, NOW_MS).description, '2');
    const views = (await tree.children(group)).map((node) => displayOf(node, NOW_MS));
    assert.deepEqual(
      views.map(({ label, description, actions }) => [label, description, actions]),
      [
        ['default', 'block 19,000,123 · as created', ['revert', 'copyId']],
        ['funded', 'block 19,000,123 · 1 d ago', ['revert', 'copyId', 'delete']],
      ],
    );
  });
});
