import assert from 'node:assert/strict';
import type { ProjectChange } from '../../../../server/api/changes';
import type { Fork } from '../../../../server/api/fork';
import { displayOf } from '../../../../extension/projects/node-displays';
import type { ProjectTreeModel } from '../../../../extension/projects/project-tree-model';
import type { TreeNode } from '../../../../extension/model/tree-node';
import {
  detail,
  FORK_ID,
  fork,
  lists,
  NOW_MS,
  path,
  PROJECT_ID,
  transaction,
  treeOf,
} from './tree-fixtures';

describe('project tree during changes', () => {
  const state = (change: object): ProjectChange => ({
    type: 'fork',
    projectId: PROJECT_ID,
    forkId: FORK_ID,
    name: 'before-exploit',
    chain: 'eth',
    height: '0x121eb3b',
    position: 7,
    state: 'running',
    ...change,
  });
  const progress = { stage: 'replaying transactions', done: 2, total: 7 };

  const changesOf = (tree: ProjectTreeModel): (TreeNode | undefined)[] => {
    const changed: (TreeNode | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node));
    return changed;
  };

  it('shows a fork during its creation, with the progress of its replay', async () => {
    let forks: Fork[] = [];
    const tree = treeOf({ ...lists, listForks: () => forks });
    const [root] = await tree.children();
    await tree.children(root);
    const changed = changesOf(tree);
    const shown = async (): Promise<(string | undefined)[]> =>
      (await tree.children(root)).map((node) => displayOf(node, NOW_MS).description);
    await tree.apply(state({ state: 'creating' }));
    assert.deepEqual(changed, [root]);
    assert.deepEqual(await shown(), ['eth @ 19,000,123:7 · creating']);
    await tree.apply(state({ state: 'creating', progress }));
    assert.deepEqual(await shown(), ['eth @ 19,000,123:7 · replaying 2 of 7 transactions']);
    forks = [fork];
    await tree.apply(state({ state: 'running' }));
    assert.deepEqual(await shown(), ['eth @ 19,000,123:7 · running']);
    forks = [];
    await tree.apply(state({ state: 'deleting' }));
    assert.deepEqual(await shown(), [undefined]);
  });

  it('shows the progress of a waking fork, without a request to the service', async () => {
    const asleep = { ...fork, state: 'sleeping' };
    const tree = treeOf({ ...lists, listForks: () => [asleep] });
    const node = await path(tree, 0, 0);
    const changed = changesOf(tree);
    await tree.apply(state({ state: 'sleeping', progress }));
    assert.deepEqual(changed, [node]);
    const view = displayOf(node, NOW_MS);
    assert.equal(view.description, 'eth @ 19,000,123:7 · replaying 2 of 7 transactions');
    assert.equal(view.icon?.id, 'loading~spin');
  });

  it('shows new transactions and the figures of their project, with no further requests', async () => {
    const asked: string[] = [];
    let quantity = 12;
    const list = [transaction('1')];
    const tree = treeOf({
      ...lists,
      getProject: () => {
        asked.push('getProject');
        return { ...detail, stats: { ...detail.stats, dailyTransactionQuantity: quantity } };
      },
      listForkTransactions: () => {
        asked.push('listForkTransactions');
        return { total: list.length, transactions: list, nextCursor: null };
      },
    });
    const forkNode = await path(tree, 0, 0);
    await tree.children(forkNode);
    await tree.children(forkNode);
    assert.deepEqual(asked.splice(0), ['getProject', 'listForkTransactions']);
    const changed = changesOf(tree);
    quantity = 13;
    list.unshift(transaction('2'));
    await tree.apply({ type: 'transactions', projectId: PROJECT_ID, forkId: FORK_ID });
    const [root] = changed;
    assert.ok(root?.kind === 'project');
    assert.match(displayOf(root, NOW_MS).description!, /^13 today/);
    assert.equal((await tree.children(forkNode)).length, 3);
    assert.deepEqual(asked, ['getProject', 'listForkTransactions']);
  });

  it('wakes no sleeping fork after a lost connection, unless it has changed', async () => {
    let asked = 0;
    let asleep = { ...fork, state: 'sleeping', transactionCount: 1 };
    const tree = treeOf({
      ...lists,
      listForks: () => [asleep],
      listForkTransactions: () => {
        asked++;
        return {
          total: asleep.transactionCount,
          transactions: [transaction('1')],
          nextCursor: null,
        };
      },
    });
    const show = async (): Promise<void> => {
      await tree.children(await path(tree, 0, 0));
    };
    await show();
    tree.reload();
    await show();
    assert.equal(asked, 1);
    asleep = { ...asleep, transactionCount: 2 };
    tree.reload();
    await show();
    assert.equal(asked, 2);
    tree.refresh();
    await show();
    assert.equal(asked, 3);
  });

  it('wakes no fork without transactions', async () => {
    const asleep = { ...fork, state: 'sleeping', transactionCount: 0 };
    const tree = treeOf({ ...lists, listForks: () => [asleep] });
    const children = await tree.children(await path(tree, 0, 0));
    assert.deepEqual(
      children.map((node) => displayOf(node, NOW_MS).label),
      ['Snapshots', 'No transactions yet'],
    );
  });

  it('repeats a request if a change arrives before its response', async () => {
    const list = [transaction('1')];
    let release: () => void = () => undefined;
    let asked: () => void = () => undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    let waiting: Promise<void> | undefined = new Promise((resolve) => (release = resolve));
    const tree = treeOf({
      ...lists,
      listForkTransactions: async () => {
        const page = { total: list.length, transactions: [...list], nextCursor: null };
        asked();
        await waiting;
        return page;
      },
    });
    const node = await path(tree, 0, 0);
    const old = tree.children(node);
    await wasAsked;
    list.unshift(transaction('2'));
    await tree.apply({ type: 'transactions', projectId: PROJECT_ID, forkId: FORK_ID });
    waiting = undefined;
    release();
    assert.equal((await old).length, 3);
    assert.equal((await tree.children(node)).length, 3);
  });

  it('reuses the nodes that the view contains, and updates them', async () => {
    let transactionCount = 0;
    const tree = treeOf({ ...lists, listForks: () => [{ ...fork, transactionCount }] });
    const [project, node] = [await path(tree, 0), await path(tree, 0, 0)];
    transactionCount = 1;
    assert.equal(await path(tree, 0), project);
    assert.equal(await path(tree, 0, 0), node);
    assert.equal(displayOf(node, NOW_MS).description, 'eth @ 19,000,123:7 · running · 1 tx');
  });
});
