import assert from 'node:assert/strict';
import { leastLoaded } from '../../../../server/team/cluster/least-loaded';

const node = (name: string, capacity: number, engines: number, waiting = 0, placed = 0) => ({
  name,
  capacity,
  engines,
  waiting,
  placed,
});

const namesOf = (nodes: ReturnType<typeof node>[]) => leastLoaded(nodes).map(({ name }) => name);

describe('leastLoaded', () => {
  it('takes the nodes with the smallest share of their capacity', () => {
    const nodes = [node('a', 4, 2), node('b', 8, 3), node('c', 8, 3)];
    assert.deepEqual(namesOf(nodes), ['b', 'c']);
  });

  it('counts waiting requests and forks that were given since the last heartbeat', () => {
    assert.deepEqual(namesOf([node('a', 4, 1, 2), node('b', 4, 2)]), ['b']);
    assert.deepEqual(namesOf([node('a', 4, 1, 0, 2), node('b', 4, 2)]), ['b']);
  });

  it('takes a node without room only if no other has room', () => {
    assert.deepEqual(namesOf([node('a', 1, 1), node('b', 10, 9)]), ['b']);
    assert.deepEqual(namesOf([node('a', 1, 1, 1), node('b', 10, 10, 1)]), ['b']);
    assert.deepEqual(namesOf([]), []);
  });
});
