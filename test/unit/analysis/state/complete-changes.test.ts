import assert from 'node:assert/strict';
import { completeChanges, needsTouched } from '../../../../server/analysis/state/complete-changes';
import type { FrameItem } from '../../../../server/analysis/call-frame';
import { account, frame, log, mined, word } from '../../../support/analysis';

const [ALICE, BOB, TOKEN, CONTRACT] = [
  account(0xa11),
  account(0xb0b),
  account(0x70),
  account(0xc0),
] as const;

describe('completeChanges', () => {
  const created = frame({ type: 'CREATE', from: ALICE, to: CONTRACT });
  const destroyed = frame({ type: 'SELFDESTRUCT', from: TOKEN, to: BOB, value: 5n });
  const undone = frame({ error: 'execution reverted', items: [created, destroyed] });

  it('needs the touched accounts if a contract was created or destroyed for good', () => {
    assert.equal(needsTouched(frame({ items: [frame(), log(TOKEN, [])] })), false);
    assert.equal(needsTouched(frame({ items: [undone] })), false);
    assert.equal(needsTouched(frame({ type: 'CREATE2', to: null })), false);
    for (const item of [created, destroyed])
      assert.equal(needsTouched(frame({ items: [item] })), true);
  });

  it('adds what created and destroyed accounts held before', () => {
    const changes = {
      pre: { [TOKEN]: { balance: '0x5' } },
      post: { [CONTRACT]: { nonce: 1, code: '0x60' } },
    };
    const storage = { [word(1)]: word(7), [word(2)]: word(0) };
    const touched = { [CONTRACT]: { balance: '0x9' }, [TOKEN]: { balance: '0x5', storage } };
    const completed = (items: FrameItem[]) =>
      completeChanges(changes, touched, frame({ items }), mined());
    assert.deepEqual(completed([created, destroyed]), {
      pre: {
        [CONTRACT]: { balance: '0x9' },
        [TOKEN]: { balance: '0x5', storage: { [word(1)]: word(7) } },
      },
      post: changes.post,
    });
    assert.deepEqual(completed([undone]), changes);
  });

  it('returns other answers unchanged, for their reader to report', () => {
    for (const answer of [undefined, null, { pre: 1 }, []]) {
      assert.equal(
        completeChanges(answer, undefined, frame({ items: [created] }), mined()),
        answer,
      );
    }
    const broken = { pre: { [TOKEN]: { balance: 'x' } }, post: {} };
    const root = frame({ items: [destroyed] });
    assert.equal(completeChanges(broken, undefined, root, mined()), broken);
  });
});
