import assert from 'node:assert/strict';
import type { ForkChange } from '../../server/api/changes';
import { call } from '../support/json-rpc';
import { isKind, PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

/** Without the fields that are the same in all changes of a fork. */
const inShort = (changes: readonly ForkChange[]): unknown[] =>
  changes.map((change) =>
    change.type !== 'fork'
      ? change.type
      : change.progress === undefined
        ? change.state
        : `${change.state}: ${change.progress.stage} ${change.progress.done} of ${change.progress.total}`,
  );

describe('the reported changes of a fork', () => {
  let engines: TestEngines;
  let service: TestForks;

  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    for (let sent = 0; sent < 3; sent++) await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    service = await TestForks.open(engines, ethChain(upstream.engine.url));
  });
  after(async () => {
    await service.close();
    await engines.close();
  });
  beforeEach(() => {
    service.changes.length = 0;
  });

  it('include its creation with the progress of the replay, and its transactions', async () => {
    const { forkId, rpc } = await service.create({ height: '0x1', position: 2, name: 'told' });
    assert.deepEqual(inShort(service.changes), [
      'creating',
      'creating: replaying transactions 0 of 2',
      'creating: replaying transactions 1 of 2',
      'creating: replaying transactions 2 of 2',
      'running',
      'running',
    ]);
    const [first] = service.changes;
    const place = { chain: 'eth', height: '0x1', position: 2 };
    assert.deepEqual(first, {
      type: 'fork',
      projectId: PROJECT,
      forkId,
      name: 'told',
      ...place,
      state: 'creating',
    });

    service.changes.length = 0;
    await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    await call(rpc, 'anvil_setBalance', ALICE.address, '0xde0b6b3a7640000');
    await call(rpc, 'anvil_mine', '0x2');
    assert.deepEqual(inShort(service.changes), ['transactions']);
  });

  it('include its sleep and its wake', async () => {
    const { forkId, rpc } = await service.create({ height: '0x1', position: 1 });
    service.changes.length = 0;
    await service.engine.stop();
    await call(rpc, 'eth_blockNumber');
    assert.deepEqual(inShort(service.changes), [
      'sleeping',
      'sleeping: replaying transactions 0 of 1',
      'sleeping: replaying transactions 1 of 1',
      'running',
    ]);
    assert.equal((await service.forks.get(PROJECT, forkId)).transactionCount, 0);
  });

  it('include a failed creation', async () => {
    const controller = new AbortController();
    service.afterStart = () => {
      controller.abort();
    };
    const creation = service.create({ height: '0x1' }, controller.signal);
    await assert.rejects(creation, isKind('cancelled', /cancelled/));
    delete service.afterStart;
    const reported = inShort(service.changes);
    assert.deepEqual([reported[0], reported.at(-1)], ['creating', 'deleting']);
  });
});
