import assert from 'node:assert/strict';
import type { Fork, ForkTransaction } from '../../../../server/api/fork';
import type { ProjectDetail } from '../../../../server/api/project';
import type { RouteId } from '../../../../server/api/routes';
import type { ApiClient } from '../../../../extension/model/api-client';
import type { ForkContracts } from '../../../../extension/model/fork-contracts';
import type { ServiceState } from '../../../../extension/model/service';
import type { SessionState } from '../../../../extension/account/session';
import { ProjectTreeModel } from '../../../../extension/projects/project-tree-model';
import type { TreeNode } from '../../../../extension/model/tree-node';
import { silentLog } from '../support';

export const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
export const PROJECT_ID = `project_${'1'.repeat(32)}`;
export const FORK_ID = `fork_${'2'.repeat(32)}`;

const project = {
  projectId: PROJECT_ID,
  name: 'default',
  createTime: '2026-02-28T09:30:00.000Z',
};
export const detail: ProjectDetail = {
  ...project,
  stats: { dailyTransactionQuantity: 12, monthlyTransactionQuantity: 1340 },
  fokDetail: [],
  collaboratorDetail: { collaboratorNum: 0, collaborators: [] },
  role: 'owner',
};
export const fork: Fork = {
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
export const transaction = (digit: string): ForkTransaction => ({
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

export type Answers = Partial<Record<RouteId, (request: { query?: unknown }) => unknown>>;
const account = {
  nickname: 'alice',
  email: 'alice@example.com',
  scopes: ['manage' as const],
  projectLimit: 20,
};
const signedIn: SessionState = { kind: 'signedIn', account };
const url = 'http://127.0.0.1:8787';
const running: ServiceState = { kind: 'running', url, ownership: 'owner' };

export const NO_CONTRACTS: ForkContracts = {
  onDidChange: () => ({ dispose: () => undefined }),
  of: () => [],
  functionsOf: () => Promise.resolve([]),
  recognise: () => undefined,
};

export function treeOf(
  answers: Answers,
  session: SessionState = signedIn,
  state: ServiceState = running,
  contracts: ForkContracts = NO_CONTRACTS,
): ProjectTreeModel {
  const client = {
    call: async (id: RouteId, request: { query?: unknown }): Promise<unknown> => {
      const answer = answers[id];
      assert.ok(answer, `unexpected call ${id}`);
      await Promise.resolve();
      return answer(request);
    },
  } as ApiClient;
  return new ProjectTreeModel(client, { state }, { state: session }, silentLog, contracts);
}

export const fails = (error: Error) => (): never => {
  throw error;
};
export const defaultSnapshot = {
  snapshotId: '1d7a',
  name: 'default',
  createTime: fork.createTime,
  blockNumber: 19_000_123,
  isDefault: true,
};
export const lists: Answers = {
  listProjects: () => [project],
  getProject: () => detail,
  listForks: () => [fork],
  listSnapshots: () => [defaultSnapshot],
};

export async function path(tree: ProjectTreeModel, ...indexes: number[]): Promise<TreeNode> {
  let nodes = await tree.children();
  let node = nodes[indexes[0]!]!;
  for (const index of indexes.slice(1)) {
    nodes = await tree.children(node);
    node = nodes[index]!;
  }
  return node;
}
