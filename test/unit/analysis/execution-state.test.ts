import assert from 'node:assert/strict';
import { readExecutionState } from '../../../server/analysis/execution-state';
import { account, word } from '../../support/analysis';

const [ALICE, BOB, TOKEN] = [account(0xa11), account(0xb0b), account(0x70)];
const SLOT = word(0x5107);

describe('the state around an execution', () => {
  it('reads slots that are zero on one side, creations and destructions', () => {
    const state = readExecutionState(
      { [TOKEN]: { balance: '0x1', storage: { [SLOT]: word(4) } }, [BOB]: { balance: '0x9' } },
      {
        pre: {
          [TOKEN]: { balance: '0x1', storage: { [SLOT]: word(4) } },
          [BOB]: { balance: '0x9' },
        },
        post: { [TOKEN]: {}, [ALICE]: { balance: '0x2', code: '0x60' } },
      },
    );
    assert.deepEqual(
      [...(state?.native ?? [])],
      [
        [BOB, -9n],
        [ALICE, 2n],
      ],
    );
    assert.deepEqual(state?.after, {
      [TOKEN]: { balance: '0x1', stateDiff: { [SLOT]: word(0) } },
      [BOB]: { balance: '0x0', code: '0x' },
      [ALICE]: { balance: '0x2', code: '0x60' },
    });
    assert.deepEqual(state.before[TOKEN], { balance: '0x1', stateDiff: { [SLOT]: word(4) } });
  });

  it("returns undefined for other answers than the tracer's", () => {
    for (const answer of [null, {}, { pre: 1 }, { pre: {}, post: { [BOB]: { balance: 'x' } } }]) {
      assert.equal(readExecutionState({}, answer), undefined);
    }
  });
});
