import assert from 'node:assert/strict';
import { ApiError } from '../../../server/api/errors';
import type { Fork, ForkTransaction, ForkTransactions } from '../../../server/api/fork';
import type { ProjectDetail } from '../../../server/api/project';
import type { RouteId } from '../../../server/api/routes';
import type { ApiClient } from '../../../extension/client/api-client';
import { ServiceUnavailableError } from '../../../extension/errors';
import type { SessionState } from '../../../extension/session';
import { contextValue, viewOf } from '../../../extension/views/node-view';
import { ProjectTree } from '../../../extension/views/project-tree';
import type { TreeNode } from '../../../extension/views/tree-node';
import { silentLog } from './support';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const PROJECT_ID = `project_${'1'.repeat(32)}`;
const FORK_ID = `fork_${'2'.repeat(32)}`;

const project = { projectId: PROJECT_ID, name: 'default', createTime: '2026-02-28T09:30:00.000Z' };
const detail: ProjectDetail = {
  ...project,
  stats: { dailyTransactionQuantity: 12, monthlyTransactionQuantity: 1340 },
  fokDetail: [],
  collaboratorDetail: { collaboratorNum: 0, collaborators: [] },
  role: 'owner',
};
const fork: Fork = {
  forkId: FORK_ID,
  chainId: 1,
  name: 'before-exploit',
  rpc: 'http://127.0.0.1:8787/rpc/secret',
  rpcChainId: 1,
  chain: 'eth',
  height: '0x121eb3b',
  position: 7,
  antiReplay: false,
  snapshotId: '0',
  createTime: '2026-02-28T09:31:00.000Z',
  state: 'running',
};
const transaction = (digit: string): ForkTransaction => ({
  hash: `0x${digit.repeat(64)}`,
  blockNumber: 19_000_124,
  transactionIndex: 0,
  timestamp: NOW_MS / 1000 - 130,
  from: `0x${'a'.repeat(40)}`,
  to: `0x${'b'.repeat(40)}`,
  value: '0',
  selector: '0xa9059cbb',
  method: 'transfer',
  status: true,
  gasUsed: 51_234,
});

type Answers = Partial<Record<RouteId, (request: { query?: unknown }) => unknown>>;
const account = {
  nickname: 'alice',
  email: 'alice@example.com',
  scopes: ['manage' as const],
  projectLimit: 20,
};
const signedIn: SessionState = { kind: 'signedIn', account };

function treeOf(answers: Answers, session: SessionState = signedIn): ProjectTree {
  const client = {
    call: async (id: RouteId, request: { query?: unknown }): Promise<unknown> => {
      const answer = answers[id];
      assert.ok(answer, `unexpected call ${id}`);
      await Promise.resolve();
      return answer(request);
    },
  } as ApiClient;
  const state = { kind: 'running', url: 'http://127.0.0.1:8787', ownership: 'owner' } as const;
  return new ProjectTree(client, { state }, { state: session }, silentLog);
}

const fails = (error: Error) => (): never => {
  throw error;
};
const lists: Answers = {
  listProjects: () => [project],
  getProject: () => detail,
  listForks: () => [fork],
};

async function path(tree: ProjectTree, ...indexes: number[]): Promise<TreeNode> {
  let nodes = await tree.children();
  let node = nodes[indexes[0]!]!;
  for (const index of indexes.slice(1)) {
    nodes = await tree.children(node);
    node = nodes[index]!;
  }
  return node;
}

describe('project tree', () => {
  it('shows projects with their figures, and the account last', async () => {
    const nodes = await treeOf(lists).children();
    assert.deepEqual(
      nodes.map(({ kind }) => kind),
      ['project', 'account'],
    );
    const view = viewOf(nodes[0]!, NOW_MS);
    assert.equal(view.label, 'default');
    assert.equal(view.description, '12 today · 1,340 this month');
    assert.equal(
      contextValue(view, 'project'),
      'project can:createFork can:copyId can:refresh can:delete',
    );
    assert.equal(viewOf(nodes[1]!, NOW_MS).label, 'alice');
  });

  it('shows a project without figures where its detail cannot be had', async () => {
    const [node] = await treeOf({ ...lists, getProject: fails(new Error('gone')) }).children();
    assert.equal(viewOf(node!, NOW_MS).description, undefined);
  });

  it('offers no deletion of a project that is shared with the user', async () => {
    const shared = { ...detail, role: 'collaborator' };
    const [node] = await treeOf({ ...lists, getProject: () => shared }).children();
    assert.doesNotMatch(contextValue(viewOf(node!, NOW_MS), 'project'), /can:delete/);
  });

  it('is empty without projects, so that the welcome view speaks', async () => {
    assert.deepEqual(await treeOf({ listProjects: () => [] }).children(), []);
  });

  it('shows where a fork starts and its state', async () => {
    const view = viewOf(await path(treeOf(lists), 0, 0), NOW_MS);
    assert.equal(view.description, 'eth @ 19,000,123:7 · running');
    assert.match(view.tooltip!, /after 7 transactions of block 19,000,123/);
    assert.doesNotMatch(JSON.stringify(view), /secret/);
    const replayed = { ...fork, position: null, antiReplay: true, rpcChainId: 9991 };
    const other = await path(treeOf({ ...lists, listForks: () => [replayed] }), 0, 0);
    assert.equal(viewOf(other, NOW_MS).description, 'eth @ 19,000,123 · running · chain id 9991');
  });

  it('offers to create the first fork', async () => {
    const view = viewOf(await path(treeOf({ ...lists, listForks: () => [] }), 0, 0), NOW_MS);
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
      before.map((node) => viewOf(node, NOW_MS).label),
      ['transfer', 'transfer', 'Load more (1 older)'],
    );
    const changed: (TreeNode | undefined)[] = [];
    tree.onDidChange((node) => changed.push(node));
    const more = before[2]!;
    assert.ok(more.kind === 'loadMore');
    await tree.loadMore(more);
    assert.deepEqual(changed, [forkNode]);
    const after = await tree.children(forkNode);
    assert.deepEqual(
      after.map((node) => viewOf(node, NOW_MS).description),
      ['2 min ago', '2 min ago', '2 min ago · reverted'],
    );
  });

  it('shows what went wrong as a node that tries again', async () => {
    const error = new ApiError('timedOut', 'it took longer than 30 s');
    const [node, ...rest] = await treeOf({ listProjects: fails(error) }).children();
    assert.deepEqual(rest, []);
    const view = viewOf(node!, NOW_MS);
    assert.equal(view.label, 'It took longer than 30 s.');
    assert.equal(view.command?.id, 'forklens.refresh');
  });

  it('leaves it to the welcome view when the service is stopped, or the user signed out', async () => {
    const stopped = new ServiceUnavailableError('stopped', 'the service is stopped');
    assert.deepEqual(await treeOf({ listProjects: fails(stopped) }).children(), []);
    const missing = fails(new ApiError('keyMissing', 'not signed in'));
    assert.deepEqual(await treeOf({ listProjects: missing }, { kind: 'signedOut' }).children(), []);
  });

  it('keeps names of others from becoming links in tooltips', async () => {
    const named = { ...fork, name: '[x](command:evil)' };
    const view = viewOf(await path(treeOf({ ...lists, listForks: () => [named] }), 0, 0), NOW_MS);
    assert.match(view.tooltip!, /^\*\*\\\[x\\\]\\\(command:evil\\\)\*\*/);
  });
});
