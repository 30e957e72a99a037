import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import { watchMoves } from '../../../../server/forks/address/watch-moves';
import type { OpenFork } from '../../../../server/forks/life/forks';

type Use = OpenFork['use'];
const elsewhere = new ApiError('forkElsewhere', 'another node runs the fork');
const refuse: Use = () => Promise.reject(elsewhere);
const run: Use = (task) => task({} as Parameters<typeof task>[0]);

/** A fork whose uses do what is listed, in turn. */
const forkOf = (...uses: Use[]): OpenFork =>
  ({ use: ((task) => uses.shift()!(task)) satisfies Use }) as OpenFork;

describe('a watched fork', () => {
  it('has moved if it is refused before a call began', async () => {
    const { fork, hasMoved } = watchMoves(forkOf(refuse));
    assert.equal(hasMoved(), false);
    await assert.rejects(
      fork.use(() => Promise.resolve(1)),
      elsewhere,
    );
    assert.equal(hasMoved(), true);
  });

  it('has not moved if a call began before: it may have changed the fork', async () => {
    const { fork, hasMoved } = watchMoves(forkOf(run, refuse));
    assert.equal(await fork.use(() => Promise.resolve(1)), 1);
    await assert.rejects(
      fork.use(() => Promise.resolve(2)),
      elsewhere,
    );
    assert.equal(hasMoved(), false);
  });

  it('has not moved if it fails for another reason', async () => {
    const busy = new ApiError('enginesBusy', 'all engines are busy');
    const { fork, hasMoved } = watchMoves(forkOf(() => Promise.reject(busy)));
    await assert.rejects(
      fork.use(() => Promise.resolve(1)),
      busy,
    );
    assert.equal(hasMoved(), false);
  });
});
