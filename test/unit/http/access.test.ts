import assert from 'node:assert/strict';
import { ApiError } from '../../../server/api/errors';
import type { Fork } from '../../../server/api/fork';
import type { ProjectDetail } from '../../../server/api/project';
import type { AccountServices } from '../../../server/composition/account-services';
import { startStubApp, type StubApp } from '../../support/stub-app';
import { stubServices } from '../../support/stub-services';

type Member = 'owner' | 'editor' | 'viewer' | 'stranger';
const MEMBERS: readonly Member[] = ['owner', 'editor', 'viewer', 'stranger'];

/** What the three roles that see a project may do in it: read and analyze, change forks, administer. */
const READS = [
  'getProject, getProjectQuota, listForks, getFork, listForkTransactions, listSnapshots',
  'getAddress, getAddressSource, getBalanceChange, getInvocationFlow, getFundFlow, getStateDiff',
  'getTokenBalances',
  'getGasProfile, getAnalysis, getSourceLocations, getFoundryTest, simulate, getChainHealth',
  'getSimulationSourceLocations, listAddressTransactions, resolveName, findActivity',
  'listBlocks, listBlockTransactions, listStory, getRecording, recordSimulation, getRecordedCalls',
  'checkRecordedBlock, createCase, bisect, checkUpgrade, findTouching, regress, reorder',
  'getRecordedStep, getRecordedBytes, getRecordedVariables, evaluateInRecording, findInRecording',
  'getWriters, getRecordedNames, getConsoleLines, getFailedConditions, getExecutedLines, getDisassembly, getRecordedFile, putAbi, getAbi, deleteAbi',
];
const CHANGES = [
  'createFork, branchFork, deleteFork, renewForkAddress',
  'createSnapshot, deleteSnapshot, revertSnapshot',
];
const ADMINISTERS = [
  'renameProject, deleteProject, deleteProject2',
  'addCollaborator, changeCollaboratorRole, removeCollaborator',
];
const namesIn = (lines: readonly string[]): string[] => lines.join(', ').split(', ');

/** Codes of refusals by role: an unknown project, an unknown chain, only the owner, the role does not suffice. */
const REFUSALS = new Set([40401, 40404, 40301, 40303]);

const FORK_ID = `fork_${'f'.repeat(32)}`;
const VALUES: Readonly<Record<string, string>> = {
  fork_id: FORK_ID,
  chain: FORK_ID,
  transaction: `0x${'ab'.repeat(32)}`,
  address: `0x${'aa'.repeat(20)}`,
  snapshot_id: '0',
  block: `0x${'cd'.repeat(32)}`,
  step: '0',
  contract: '0',
};

const FORK: Fork = {
  forkId: FORK_ID,
  chainId: 1,
  name: 'f',
  rpc: 'http://127.0.0.1:1/rpc/x',
  rpcChainId: 1,
  chain: 'eth',
  height: '0x1',
  position: null,
  antiReplay: false,
  snapshotId: 's',
  createTime: '2026-01-01T00:00:00.000Z',
  state: 'running',
};

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { enum?: string[]; type?: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}

describe('roles in projects', () => {
  let app: StubApp;
  let accounts: AccountServices;
  let projectId: string;
  const keys = new Map<Member, string>();

  before(async () => {
    const stubs = stubServices(() => Promise.reject(new ApiError('timedOut', 'reached')));
    stubs.forks.get = () => Promise.resolve(FORK);
    stubs.forks.list = () => Promise.resolve([FORK]);
    stubs.forks.findProjectId = (id) => Promise.resolve(id === FORK_ID ? projectId : undefined);
    app = await startStubApp(stubs);
    ({ accounts } = app);
    for (const member of MEMBERS) keys.set(member, await app.signUp(member));
  });
  after(() => app.close());
  beforeEach(async () => {
    const owner = await accounts.users.getByEmail('owner@example.org');
    ({ projectId } = await accounts.projects.create(owner.userId, 'shared'));
    await accounts.projects.addCollaborator(projectId, 'editor@example.org', 'editor');
    await accounts.projects.addCollaborator(projectId, 'viewer@example.org', 'viewer');
  });

  const send = (member: Member, method: string, path: string, body?: unknown) =>
    app.send(keys.get(member)!, method, path, body);
  const operationsOf = async (): Promise<[path: string, method: string, Operation][]> => {
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
        ...([path, method] as const),
        operation,
      ]),
    );
  };
  const filled = (path: string, { parameters = [] }: Operation): string => {
    const query = parameters.filter((one) => one.in === 'query' && one.required);
    const text = new URLSearchParams(
      query.map(({ name, schema }): [string, string] => [name, schema.enum?.[0] ?? '1']),
    ).toString();
    const base = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'project_id' ? projectId : (VALUES[name] ?? 'x'),
    );
    return text === '' ? base : `${base}?${text}`;
  };

  it('decide every operation of the OpenAPI document that names a project or a chain', async () => {
    const [reads, changes, administers] = [READS, CHANGES, ADMINISTERS].map(namesIn);
    const walked: string[] = [];
    for (const [path, method, operation] of await operationsOf()) {
      const { operationId, requestBody } = operation;
      if (!/\{(project_id|chain)\}/.test(path) || operationId === 'findBlock') continue;
      walked.push(operationId);
      const allowed: Member[] = [];
      // The strangest first: the owner's request may delete the project.
      for (const member of [...MEMBERS].reverse()) {
        const body = requestBody?.content['application/json'].example;
        const { code, message } = await send(member, method, filled(path, operation), body);
        assert.notEqual(code, 40001, `${operationId} by ${member}: ${message}`);
        if (!REFUSALS.has(code)) allowed.unshift(member);
        else if (member === 'stranger') {
          assert.equal(code, path.includes('{project_id}') ? 40401 : 40404, operationId);
        }
      }
      const count = reads!.includes(operationId) ? 3 : changes!.includes(operationId) ? 2 : 1;
      assert.deepEqual(allowed, MEMBERS.slice(0, count), operationId);
      if (operationId.startsWith('deleteProject')) {
        const owner = await accounts.users.getByEmail('owner@example.org');
        ({ projectId } = await accounts.projects.create(owner.userId, 'next'));
        await accounts.projects.addCollaborator(projectId, 'editor@example.org', 'editor');
        await accounts.projects.addCollaborator(projectId, 'viewer@example.org', 'viewer');
      }
    }
    assert.deepEqual(walked.sort(), [...reads!, ...changes!, ...administers!].sort());
  });

  it('decide for a fork that a body names as a chain', async () => {
    const label = { address: VALUES['address'], name: 'x', chain: FORK_ID };
    const data = { data: '0x12345678', at: { chain: FORK_ID, address: VALUES['address'] } };
    for (const [method, path, body] of [
      ['put', '/v1/labels', label],
      ['post', '/v1/decode', data],
    ] as const) {
      assert.equal((await send('viewer', method, path, body)).code, 50400);
      assert.equal((await send('stranger', method, path, body)).code, 40404);
    }
  });

  it('give the RPC URL of a fork to owner and editors only', async () => {
    const rpcOf = async (member: Member) => {
      const path = `/v1/project/${projectId}`;
      const [one, all, detail] = await Promise.all(
        [`${path}/fork/${FORK_ID}`, `${path}/forks`, path].map((route) =>
          send(member, 'get', route),
        ),
      );
      const forks = [one!.data, ...(all!.data as Fork[])] as Fork[];
      const { fokDetail } = detail!.data as ProjectDetail;
      return [...forks, ...fokDetail].map(({ rpc }) => rpc);
    };
    for (const member of ['owner', 'editor'] as const) {
      assert.deepEqual(await rpcOf(member), [FORK.rpc, FORK.rpc, FORK.rpc]);
    }
    assert.deepEqual(await rpcOf('viewer'), ['', '', '']);
  });

  it('name the role that is missing', async () => {
    const path = `/v1/project/${projectId}/fork/${FORK_ID}`;
    const refused = await send('viewer', 'delete', path);
    assert.deepEqual(refused, {
      code: 40303,
      message: `your role in project ${projectId} is viewer; this operation needs editor`,
      data: null,
    });
    const renamed = await send('editor', 'patch', `/v1/project/${projectId}`, { name: 'x' });
    assert.equal(renamed.code, 40301);
  });

  it('change by the owner, with the answers of the interface for editors', async () => {
    const path = `/v1/project/${projectId}/collaborators`;
    const email = 'editor@example.org';
    const demoted = await send('owner', 'patch', path, { email, role: 'viewer' });
    assert.deepEqual(demoted.data, { nickname: 'editor', email, role: 'viewer' });
    const branch = `/v1/project/${projectId}/fork/${FORK_ID}/rpc`;
    assert.equal((await send('editor', 'post', branch)).code, 40303);
    const promoted = await send('owner', 'patch', path, { email, role: 'editor' });
    assert.deepEqual(promoted.data, { nickname: 'editor', email });
    assert.equal((await send('editor', 'post', branch)).code, 50400);
    const detail = (await send('viewer', 'get', `/v1/project/${projectId}`)).data as {
      role: string;
      collaboratorDetail: unknown;
    };
    assert.equal(detail.role, 'viewer');
    assert.deepEqual(detail.collaboratorDetail, {
      collaboratorNum: 2,
      collaborators: [
        { nickname: 'editor', email },
        { nickname: 'viewer', email: 'viewer@example.org', role: 'viewer' },
      ],
    });
    for (const role of ['owner', 'admin', 1]) {
      const { code, message } = await send('owner', 'patch', path, { email, role });
      assert.equal(code, 40001);
      assert.match(message, /role is .*; accepted: editor or viewer/);
    }
    const owner = { email: 'owner@example.org', role: 'viewer' };
    assert.equal((await send('owner', 'patch', path, owner)).code, 40405);
  });
});
