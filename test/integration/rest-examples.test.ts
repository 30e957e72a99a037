import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { FoundryTest } from '../../server/api/foundry-test';
import type { Project, ProjectDetail } from '../../server/api/project';
import { ROUTES, type Route, type RouteId } from '../../server/api/routes';
import type { Recording, Variable } from '../../server/api/recording';
import type { Found } from '../../server/api/recording-search';
import type { SourceLocations } from '../../server/api/source-locations';
import type { Snapshot } from '../../server/api/snapshot';
import type { Analysis } from '../../server/api/views';
import { BODY_EXAMPLES } from '../../server/http/body-examples';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { runCliJson, startService, type Answer, type TestService } from '../support/service';

const SWAP = sandboxHash('swap-two-hops');

describe('the REST interface and its document', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await startService({ args: ['--sandbox'], counted: true });
  });
  after(() => service.stop());

  type Params = Record<string, string>;

  /** Sends a body to an operation. */
  function send<T>(id: RouteId, params: Params, body?: unknown): Promise<Answer<T>> {
    const { method, paths }: Route = ROUTES[id];
    const path = paths[0].replace(/:(\w+)/g, (_, name: string) => params[name]!);
    return service.request<T>(method.toUpperCase(), path, body === undefined ? {} : { body });
  }

  it('accepts the examples of its bodies', async () => {
    const { email } = BODY_EXAMPLES.addCollaborator;
    await runCliJson(service.dataDir, 'user', 'add', '--nickname', 'Bob', '--email', email);
    const example = async <T>(id: keyof typeof BODY_EXAMPLES, params: Params): Promise<T> => {
      const { code, message, data } = await send<T>(id, params, BODY_EXAMPLES[id]);
      assert.equal(code, 0, `${id}: ${message}`);
      return data;
    };
    const { projectId } = await example<Project>('createProject', {});
    const project = { project_id: projectId };
    const renamed = await example<Project>('renameProject', project);
    assert.equal(renamed.name, 'audits of 2026');
    const { forkId, height, position, rpc } = await example<Fork>('createFork', project);
    assert.deepEqual([height, position], ['0x8', 1]);
    const fork = { ...project, fork_id: forkId };
    assert.equal((await example<Snapshot>('createSnapshot', fork)).name, 'after the deployment');
    const { from, to } = { from: BODY_EXAMPLES.putLabel.address, to: `0x${'0'.repeat(40)}` };
    const transaction = await call(rpc, 'eth_sendTransaction', { from, to });
    const body = { ...BODY_EXAMPLES.branchFork, transaction };
    assert.equal((await send<Fork>('branchFork', fork, body)).data.name, body.name);
    await example('addCollaborator', project);
    await example('removeCollaborator', project);
    await example('putAbi', { chain: 'sandbox', address: from });
    await example('addArtifactFolders', {});
    await example('putLabel', {});
    await example('deleteLabel', {});
    const { status, fundFlow } = await example<Analysis>('simulate', { chain: 'sandbox' });
    assert.equal(status, true);
    assert.equal(fundFlow![0]!.amount, '1');
    const sources = await example<SourceLocations>('getSimulationSourceLocations', {
      chain: 'sandbox',
    });
    assert.deepEqual([sources.status, sources.locations], [true, []]);
    const recorded = await example<Recording>('recordSimulation', { chain: 'sandbox' });
    assert.equal(recorded.steps, 0);
    const mined = { chain: 'sandbox', transaction: sandboxHash('transfer-18-decimals') };
    const { reason } = await example<Found>('findInRecording', mined);
    assert.equal(reason, 'end');
    const at = { ...mined, step: '103' };
    assert.equal((await example<Variable>('evaluateInRecording', at)).type, 'uint256');
  });

  describe('a project', () => {
    it('can be renamed, and keeps its other fields', async () => {
      const made = await send<Project>('createProject', {}, { name: 'before' });
      const params = { project_id: made.data.projectId };
      const { data } = await send<Project>('renameProject', params, { name: ' after ' });
      assert.deepEqual(data, { ...made.data, name: 'after' });
      assert.equal((await send<ProjectDetail>('getProject', params)).data.name, 'after');
      const blank = await send('renameProject', params, { name: ' ' });
      assert.equal(blank.code, 40001);
      const other = await send('renameProject', { project_id: 'project_0' }, { name: 'x' });
      assert.equal(other.code, 40401);
    });

    it('cannot be renamed by a collaborator', async () => {
      const { data } = await send<Project>('createProject', {}, { name: 'shared' });
      const { dataDir } = service;
      const email = 'eve@example.org';
      await runCliJson(dataDir, 'user', 'add', '--nickname', 'Eve', '--email', email);
      const { key } = await runCliJson<{ key: string }>(dataDir, 'key', 'create', '--user', email);
      await send('addCollaborator', { project_id: data.projectId }, { email });
      const path = `/v1/project/${data.projectId}`;
      const refused = await service.request('PATCH', path, { key, body: { name: 'mine' } });
      assert.deepEqual([refused.status, refused.code], [403, 40301]);
    });
  });

  describe('a Foundry test', () => {
    it('is returned for a transaction', async () => {
      const params = { chain: 'sandbox', transaction: SWAP };
      const { data } = await send<FoundryTest>('getFoundryTest', params);
      assert.equal(data.name, `Transaction${SWAP.slice(0, 10)}.t.sol`);
      assert.match(data.text, new RegExp(`bytes32 constant TRANSACTION = ${SWAP};`));
      assert.match(data.text, /changes\[0\] = Change\(Kind\.ERC20, 0x70997970C51812dc3A010C7d01b5/);
      const { dataDir } = service;
      assert.deepEqual(await runCliJson(dataDir, 'test', 'sandbox', SWAP), data);
    });

    it('is refused if there is no such transaction', async () => {
      const missing = { chain: 'sandbox', transaction: `0x${'1'.repeat(64)}` };
      assert.equal((await send('getFoundryTest', missing)).code, 40403);
      assert.equal((await send('getFoundryTest', { ...missing, chain: 'no' })).code, 40404);
    });
  });

  describe('unknown fields', () => {
    const params: Params = {
      project_id: 'project_0',
      fork_id: 'fork_0',
      snapshot_id: 'x',
      chain: 'sandbox',
      transaction: SWAP,
      address: `0x${'0'.repeat(40)}`,
      step: '0',
      contract: '0',
      block: SWAP,
    };

    it('are rejected in the query of every operation', async () => {
      const routes = Object.entries(ROUTES) as [RouteId, Route][];
      for (const [id, { method, paths }] of routes) {
        const path = paths[0].replace(/:(\w+)/g, (_, name: string) => params[name]!);
        const answer = await service.request(method.toUpperCase(), `${path}?limt=1`);
        assert.equal(answer.code, 40001, id);
        assert.match(answer.message, /(^|; )limt is not known; /, id);
      }
      const events = await service.request('GET', '/v1/events?since=5');
      assert.equal(events.message, 'since is not known; accepted: no fields');
    });

    it('are rejected in the body of every operation, with the nearest known one', async () => {
      for (const [id, example] of Object.entries(BODY_EXAMPLES) as [RouteId, object][]) {
        const [first = ''] = Object.keys(example);
        const misspelt = `${first.slice(0, -1)}_`;
        const body = { ...example, [misspelt]: 1 };
        for (const sent of [body, { data: body }]) {
          const { code, message } = await send(id, params, sent);
          assert.equal(code, 40001, id);
          const expected = `${misspelt} is not known; did you mean ${first}? accepted: `;
          assert.ok(message.startsWith(expected), `${id}: ${message}`);
        }
      }
    });

    it('are rejected inside overrides', async () => {
      const { from } = BODY_EXAMPLES.simulate;
      const body = { from, to: from, blockOverrides: { basefee: 1 } };
      const { message } = await send('simulate', { chain: 'sandbox' }, body);
      assert.match(message, /^blockOverrides\.basefee is not known; accepted: number, time, /);
    });
  });

  it('accepts heights as hex, decimal numbers, digits and tags', async () => {
    const { from } = BODY_EXAMPLES.simulate;
    for (const height of ['0x8', 8, '8']) {
      const body = { from, to: from, height };
      const { data } = await send<Analysis>('simulate', { chain: 'sandbox' }, body);
      assert.equal(data.simulation!.blockNumber, 8);
      const found = await service.request<{ number: number }>(
        'GET',
        `/v1/chains/sandbox/block?at=${height}`,
      );
      assert.equal(found.data.number, 8);
    }
    for (const height of ['latest', 'safe', 'finalized', 'earliest']) {
      const found = await service.request('GET', `/v1/chains/sandbox/block?at=${height}`);
      assert.equal(found.code, 0, found.message);
    }
    const wrong = await send('simulate', { chain: 'sandbox' }, { from, to: from, height: '8.5' });
    assert.match(wrong.message, /^height is "8\.5"; accepted: a block number \(hex such as/);
  });
});
