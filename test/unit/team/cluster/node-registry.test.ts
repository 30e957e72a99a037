import assert from 'node:assert/strict';
import {
  NodeRegistry,
  type NodeFacts,
  type NodeTable,
} from '../../../../server/team/cluster/node-registry';

const node = (nodeId: string, facts: Partial<NodeFacts> = {}): NodeFacts => ({
  nodeId,
  url: `http://${nodeId}`,
  version: '1',
  capacity: 4,
  engines: 0,
  waiting: 0,
  isDraining: false,
  age: 0,
  ...facts,
});

describe('NodeRegistry', () => {
  let nodes: NodeFacts[];
  let now: number;
  let dead: string[];
  let drains: number;
  let registry: NodeRegistry;
  let asked: string[];
  let load: { engines: number; waiting: number };
  const table: NodeTable = {
    register: () => Promise.resolve(),
    beat: () => Promise.resolve(nodes),
    list: () => Promise.resolve(nodes),
    drain: (nodeId) => {
      asked.push(nodeId);
      return Promise.resolve(true);
    },
    remove: () => Promise.resolve(),
  };
  beforeEach(async () => {
    nodes = [node('a'), node('b'), node('c')];
    [now, dead, drains, asked] = [0, [], 0, []];
    load = { engines: 0, waiting: 0 };
    registry = new NodeRegistry({
      nodeId: 'a',
      table,
      leaseSeconds: 10,
      now: () => now,
      onDead: (nodeId) => dead.push(nodeId),
      onBeatFailed: assert.ifError,
    });
    await registry.start({
      load: () => load,
      onDrain: () => drains++,
      onBeat: () => Promise.resolve(),
    });
  });
  afterEach(() => registry.close());
  const choose = (...excluded: string[]) => {
    const [first] = registry.candidates(new Set(excluded));
    registry.place(first);
    return first;
  };

  it('chooses this node among equals, and counts what each was given until its next heartbeat', async () => {
    assert.deepEqual([choose(), choose(), choose(), choose()], ['a', 'b', 'c', 'a']);
    assert.deepEqual([choose('a'), choose('a')], ['b', 'c']);
    await registry.beat();
    assert.deepEqual([choose(), choose()], ['a', 'b']);
  });

  it('counts a fork of this node once: as given, or as running or waiting', () => {
    assert.deepEqual([choose(), choose(), choose()], ['a', 'b', 'c']);
    load = { engines: 1, waiting: 0 };
    assert.deepEqual([choose(), choose(), choose()], ['a', 'b', 'c']);
    load = { engines: 1, waiting: 1 };
    assert.equal(choose(), 'a');
  });

  it('spreads forks over the others while this node has more', async () => {
    await registry.close();
    registry = new NodeRegistry({
      nodeId: 'a',
      table,
      leaseSeconds: 10,
      now: () => now,
      onDead: () => undefined,
      onBeatFailed: assert.ifError,
    });
    await registry.start({
      load: () => ({ engines: 3, waiting: 0 }),
      onDrain: () => undefined,
      onBeat: () => Promise.resolve(),
    });
    assert.deepEqual([choose(), choose(), choose(), choose()], ['b', 'c', 'b', 'c']);
    assert.equal(choose('b'), 'c');
    await registry.beat();
    assert.equal(choose(), 'b');
  });

  it('prefers the node that ran the fork last, if it has room', async () => {
    assert.deepEqual(registry.candidates(new Set(), 'c'), ['c']);
    assert.deepEqual(registry.candidates(new Set(['c']), 'c'), ['a', 'b']);
    nodes = [node('a'), node('c', { engines: 4 })];
    await registry.beat();
    assert.deepEqual(registry.candidates(new Set(), 'c'), ['a']);
  });

  it('leaves out nodes that are dead, draining or unreachable', async () => {
    nodes = [
      node('a'),
      node('b', { age: 10 }),
      node('c', { isDraining: true }),
      node('d', { url: null }),
    ];
    await registry.beat();
    for (const id of ['b', 'c', 'd']) assert.deepEqual(registry.candidates(new Set(), id), ['a']);
    assert.equal(registry.urlOf('b'), undefined);
    assert.equal(registry.urlOf('c'), 'http://c');
    assert.equal(registry.urlOf('d'), undefined);
  });

  it('counts the age of a heartbeat on, by its own monotonic clock', () => {
    assert.ok(registry.isAlive('b'));
    now = 9_999;
    assert.ok(registry.isAlive('b'));
    now = 10_000;
    assert.ok(!registry.isAlive('b'));
    assert.ok(!registry.isAlive('unknown'));
  });

  it('reports nodes that are dead or gone', async () => {
    nodes = [node('a'), node('b', { age: 11 })];
    await registry.beat();
    assert.deepEqual(dead, ['b', 'c']);
  });

  it('begins to drain once when the table asks for it, and takes no fork then', async () => {
    nodes = [node('a', { isDraining: true }), node('b', { engines: 3 })];
    await registry.beat();
    await registry.beat();
    assert.equal(drains, 1);
    assert.ok(registry.isDraining);
    assert.equal(choose(), 'b');
    assert.equal(choose('b'), 'a', 'nobody else is there');
  });

  it('knows the nodes that started since its last heartbeat when it drains', async () => {
    nodes = [...nodes, node('d')];
    assert.equal(registry.urlOf('d'), undefined);
    await registry.drain();
    assert.equal(registry.urlOf('d'), 'http://d');
  });

  it('knows the nodes that started since its last heartbeat when it reads them again', async () => {
    nodes = [...nodes, node('d')];
    assert.equal(registry.urlOf('d'), undefined);
    await registry.refresh();
    assert.equal(registry.urlOf('d'), 'http://d');
  });

  it('asks for its own drain', async () => {
    await registry.drain();
    assert.deepEqual(asked, ['a']);
    assert.equal(choose(), 'b');
  });
});
