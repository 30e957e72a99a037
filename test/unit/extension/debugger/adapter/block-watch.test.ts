import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { BlockWatch } from '../../../../../extension/debugger/adapter/block-watch';
import type { RecordedTransaction } from '../../../../../extension/debugger/adapter/recorded-transaction';
import { Emitter } from '../../../../../extension/editor/emitter';
import { ApiError } from '../../../../../server/api/errors';
import type { Change } from '../../../../../server/api/changes';
import type { RecordedBlock, Recording } from '../../../../../server/api/recording';

const FORK = 'fork_1';
const transactions = (forkId: string): Change => ({
  type: 'transactions',
  projectId: 'project_1',
  forkId,
});

function setUp(answers: readonly (RecordedBlock | Error)[]) {
  const changes = new Emitter<Change>();
  const seen = { asked: 0, replaced: [] as string[], gone: 0 };
  const recorded: Pick<RecordedTransaction, 'recording' | 'block'> = {
    recording: { chain: FORK } as Recording,
    block: () => {
      const answer = answers[seen.asked++] ?? new Error('asked too often');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const watch = new BlockWatch(
    recorded,
    { onDidChange: changes.event },
    {
      onReplaced: (text) => seen.replaced.push(text),
      onGone: () => seen.gone++,
    },
  );
  return { watch, changes, seen };
}

describe('the watch of a recorded block', () => {
  it('asks after changes of its own fork only, and says that the block was replaced', async () => {
    const { watch, changes, seen } = setUp([
      { isCurrent: true },
      { isCurrent: true },
      { isCurrent: false, reason: 'the fork was reverted' },
    ]);
    changes.fire(transactions('fork_2'));
    changes.fire({ type: 'project', projectId: 'project_1' });
    changes.fire({ type: 'snapshots', projectId: 'project_1', forkId: FORK });
    await setImmediate();
    assert.equal(seen.asked, 0);
    changes.fire(transactions(FORK));
    changes.fire(transactions(FORK)); // while it asks: asked again
    await setImmediate();
    assert.deepEqual([seen.asked, seen.replaced, watch.named('simulation')], [2, [], 'simulation']);
    changes.fire(transactions(FORK));
    await setImmediate();
    const text = 'The fork was reverted. What was recorded can still be stepped through.';
    assert.deepEqual(seen, { asked: 3, replaced: [text], gone: 0 });
    assert.equal(watch.named('transaction 0x01'), 'transaction 0x01 (block replaced)');
  });

  it('says once what happened to the transaction, and what happens later', async () => {
    const inNoBlock = { isCurrent: false, reason: 'it is in no block' };
    const { watch, seen } = setUp([
      inNoBlock,
      inNoBlock,
      { isCurrent: false, reason: 'it is in block 9' },
    ]);
    for (const replaced of [['no block'], ['no block'], ['no block', 'block 9']]) {
      watch.check();
      await setImmediate();
      const texts = replaced.map(
        (where) => `It is in ${where}. What was recorded can still be stepped through.`,
      );
      assert.deepEqual([seen.replaced, watch.isReplaced], [texts, true]);
    }
  });

  it('asks again after a node did not answer, and says that the fork is gone', async () => {
    const { watch, seen } = setUp([
      new ApiError('upstreamUnreachable', 'no answer'),
      new ApiError('chainNotFound', 'no such fork'),
    ]);
    for (const gone of [0, 1]) {
      watch.check();
      await setImmediate();
      assert.deepEqual([seen.gone, seen.replaced], [gone, []]);
    }
  });

  it('asks no more after its end', async () => {
    const { watch, changes, seen } = setUp([]);
    watch.dispose();
    changes.fire(transactions(FORK));
    await setImmediate();
    assert.equal(seen.asked, 0);
  });
});
