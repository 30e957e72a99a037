import assert from 'node:assert/strict';
import type { LocatedFork } from '../../../../server/forks/life/ports';
import { findNode } from '../../../../server/team/routing/find-node';

describe('findNode', () => {
  const placed: string[] = [];
  const options = (located?: object, withBlocks?: string) => ({
    nodeId: 'a',
    registry: {
      urlOf: (id: string) => (id === 'dead' ? undefined : `http://${id}`),
      candidates: () => ['a', 'b', 'c'] as const,
      place: (id: string) => placed.push(id),
    },
    find: () => Promise.resolve(located as LocatedFork | undefined),
    withBlocks: (chainId: number, ids: readonly string[]) => {
      assert.deepEqual([chainId, ids], [1, ['a', 'b', 'c']]);
      return Promise.resolve(withBlocks);
    },
  });
  const fork = { forkId: `fork_${'1'.repeat(32)}` };
  beforeEach(() => placed.splice(0));

  it('finds the node that has the lease, or says when it is free', async () => {
    assert.deepEqual(await findNode(options({ owner: 'b' }), fork, new Set()), {
      kind: 'there',
      target: { nodeId: 'b', url: 'http://b' },
    });
    const located = { owner: 'dead', freeIn: 3 };
    assert.deepEqual(await findNode(options(located), fork, new Set()), {
      kind: 'nobody',
      freeIn: 3,
    });
    assert.deepEqual(placed, []);
  });

  it('chooses the node that has blocks of the chain, else the first', async () => {
    const record = { record: { chainId: 1 } };
    const chosen = [
      await findNode(options(record, 'c'), fork, new Set()),
      await findNode(options(undefined, 'b'), 'room', new Set(), 1),
      await findNode(options(record), fork, new Set()),
      await findNode(options(), 'room', new Set()),
    ].map((place) => (place.kind === 'there' ? place.target.nodeId : place.kind));
    assert.deepEqual(chosen, ['c', 'b', 'here', 'here']);
    assert.deepEqual(placed, ['c', 'b', 'a', 'a']);
  });

  it('chooses again when the nodes are given other forks while it asks for blocks', async () => {
    let given = 0;
    const { registry, ...rest } = options(undefined, 'b');
    const candidates = () => (given++ === 0 ? (['a', 'b', 'c'] as const) : (['c'] as const));
    const place = await findNode(
      { ...rest, registry: { ...registry, candidates } },
      'room',
      new Set(),
      1,
    );
    assert.equal(place.kind === 'there' && place.target.nodeId, 'c');
    assert.deepEqual(placed, ['c']);
  });

  it('serves a fork that does not exist here', async () => {
    assert.deepEqual(await findNode(options(), fork, new Set()), { kind: 'here' });
  });
});
