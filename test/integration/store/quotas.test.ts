import assert from 'node:assert/strict';
import { pino } from 'pino';
import { QUOTA_WINDOW_MS, type Bound, type Release } from '../../../server/projects/quota-ledger';
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../../server/team/postgres/open-storage';
import { describeWith } from '../../support/programs';
import { usePostgres } from '../../support/storages';

const LOAD = { engines: 0, waiting: 0 };
const bound = (id: string, limit: number): Bound => ({ subject: { kind: 'user', id }, limit });

describeWith(['initdb'], 'what quotas bound, on two nodes of a database', () => {
  const cluster = usePostgres();
  let name: string;
  let a: PostgresStorage['cluster'];
  let b: PostgresStorage['cluster'];
  let opened: PostgresStorage[];
  beforeEach(async () => {
    name = await cluster().createDatabase();
    opened = [];
    [a, b] = [await open('a'), await open('b')];
  });
  afterEach(() => Promise.all(opened.map((storage) => storage.close())));

  const open = async (nodeId: string): Promise<PostgresStorage['cluster']> => {
    const storage = await openPostgresStorage({
      url: cluster().urlOf(name),
      maxConnections: 4,
      leaseSeconds: 600,
      node: { nodeId, url: null, capacity: 1, version: '1' },
      log: pino({ enabled: false }),
    });
    opened.push(storage);
    await storage.cluster.nodes.register();
    return storage.cluster;
  };
  const analysis = (node: PostgresStorage['cluster'], unit: string, ...bounds: Bound[]) =>
    node.quotas.hold('analyses', unit, bounds);
  const query = (text: string) => cluster().query(text, name);

  it('is never exceeded by units that are asked for at the same time', async () => {
    const asked = Array.from({ length: 12 }, (_, index) =>
      analysis(index % 2 === 0 ? a : b, `unit ${index}`, bound('ann', 5), bound('ben', 9)),
    );
    const outcomes = await Promise.all(asked);
    const held = outcomes.filter((one): one is Release => typeof one === 'function');
    assert.equal(held.length, 5);
    for (const one of outcomes) {
      if (typeof one !== 'function') assert.deepEqual(one, { refused: bound('ann', 5) });
    }
    // What was refused holds nothing of the other subject.
    assert.equal(await b.quotas.count('analyses', { kind: 'user', id: 'ben' }), 5);
    // A node takes its own releases into account at once, the other nodes when they are written.
    const first = outcomes.findIndex((one) => typeof one === 'function');
    const [own, other] = first % 2 === 0 ? [a, b] : [b, a];
    void held[0]!();
    assert.equal(typeof (await analysis(own, 'one more', bound('ann', 5))), 'function');
    assert.equal(typeof (await analysis(other, 'too many', bound('ann', 5))), 'object');
  });

  it('counts a fork once while its creation ends, on every node', async () => {
    const subject = { kind: 'project', id: 'p' } as const;
    const create = (node: PostgresStorage['cluster'], fork: string) =>
      node.quotas.hold('forks', fork, [{ subject, limit: 2 }]);
    const first = await create(a, 'first');
    assert.ok(typeof first === 'function');
    await query("INSERT INTO forklens.forks VALUES ('first', 'p', '', '', NULL, '{}')");
    for (const node of [a, b]) assert.equal(await node.quotas.count('forks', subject), 1);
    const second = await create(b, 'second');
    assert.ok(typeof second === 'function');
    assert.equal(typeof (await create(a, 'third')), 'object');
    await first();
    for (const node of [a, b]) assert.equal(await node.quotas.count('forks', subject), 2);
    await second();
    for (const node of [a, b]) assert.equal(await node.quotas.count('forks', subject), 1);
  });

  it('counts a unit once that another node holds by now, until that node releases it', async () => {
    const wake = (node: PostgresStorage['cluster'], fork: string) =>
      node.quotas.hold('runningEngines', fork, [bound('ann', 1)]);
    const before = await wake(a, 'fork');
    const after = await wake(b, 'fork');
    assert.ok(typeof before === 'function' && typeof after === 'function');
    await before();
    assert.equal(typeof (await wake(a, 'other')), 'object');
    await after();
    assert.equal(typeof (await wake(a, 'other')), 'function');
  });

  it('is free again when the node that held it is dead, or has started again', async () => {
    await analysis(a, 'unit', bound('ann', 1));
    assert.equal(typeof (await analysis(b, 'other', bound('ann', 1))), 'object');
    await query(
      "UPDATE forklens.nodes SET heartbeat_at = now() - interval '601 s' WHERE node_id = 'a'",
    );
    assert.equal(typeof (await analysis(b, 'other', bound('ann', 1))), 'function');
    await a.nodes.beat(LOAD);
    assert.equal(await b.quotas.count('analyses', { kind: 'user', id: 'ann' }), 2);
    await a.nodes.register();
    assert.equal(await b.quotas.count('analyses', { kind: 'user', id: 'ann' }), 1);
  });

  it('counts the requests of all nodes in a minute, and the ones of the next minute again', async () => {
    const limit = 40;
    const ann = bound('ann', limit);
    const ask = async (count: number): Promise<number> => {
      const asked = Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? a : b).quotas.request([ann]),
      );
      const refusals = (await Promise.all(asked)).flatMap((one) => one ?? []);
      for (const { refused, seconds = 0 } of refusals) {
        assert.deepEqual(refused, ann);
        assert.ok(seconds > 0 && seconds <= QUOTA_WINDOW_MS / 1000);
      }
      return count - refusals.length;
    };
    assert.equal(await ask(20), 20);
    assert.equal(await ask(60), limit - 20);
    assert.equal(await a.quotas.count('requestsPerMinute', ann.subject), limit);
    // A third node, which knows nothing of the minute.
    assert.equal(typeof (await (await open('c')).quotas.request([ann])), 'object');
    await query("UPDATE forklens.quotas SET began_at = now() - interval '1 minute'");
    const next = (await open('d')).quotas;
    assert.equal(await next.request([ann]), undefined);
    assert.equal(await next.count('requestsPerMinute', ann.subject), 1);
  });

  it('counts no request of a user whose project has no more', async () => {
    const [ann, project] = [bound('ann', 2), bound('of a project', 1)];
    assert.equal(await a.quotas.request([ann, project]), undefined);
    const refusal = await a.quotas.request([ann, project]);
    assert.deepEqual(refusal?.refused, project);
    assert.equal(await a.quotas.request([ann]), undefined);
    assert.deepEqual((await a.quotas.request([ann]))?.refused, ann);
  });
});
