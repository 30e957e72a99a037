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

describe('the state around an execution of touched accounts', () => {
  it('contains accounts and slots that did not change, on both sides', () => {
    const storage = { [SLOT]: word(4), [word(9)]: word(5) };
    const state = readExecutionState(
      { [TOKEN.toUpperCase().replace('0X', '0x')]: { balance: '0x01', storage }, [BOB]: {} },
      {
        pre: { [TOKEN]: { balance: '0x1', code: '0x60', storage: { [SLOT]: word(4) } } },
        post: { [TOKEN]: { balance: '0x3', storage: { [SLOT]: word(6) } } },
      },
    );
    assert.deepEqual(state, {
      native: new Map([[TOKEN, 2n]]),
      before: {
        [TOKEN]: {
          balance: '0x1',
          code: '0x60',
          stateDiff: { [SLOT]: word(4), [word(9)]: word(5) },
        },
        [BOB]: {},
      },
      after: {
        [TOKEN]: {
          balance: '0x3',
          code: '0x60',
          stateDiff: { [SLOT]: word(6), [word(9)]: word(5) },
        },
        [BOB]: {},
      },
    });
  });

  it('contains touched accounts alone', () => {
    const touched = { [TOKEN]: { balance: '0x1', storage: { [SLOT]: '0x4' } } };
    const side = { [TOKEN]: { balance: '0x1', stateDiff: { [SLOT]: word(4) } } };
    assert.deepEqual(readExecutionState(touched, { pre: {}, post: {} }), {
      native: new Map(),
      before: side,
      after: side,
    });
    assert.equal(readExecutionState(null, { pre: {}, post: {} }), undefined);
    assert.equal(readExecutionState({}, { pre: {} }), undefined);
  });

  it('reads the slots of an account that was created or destroyed', () => {
    const slots = { storage: { [SLOT]: word(4) } };
    const made = readExecutionState({}, { pre: {}, post: { [TOKEN]: { nonce: 1, ...slots } } });
    assert.deepEqual(made?.before, { [TOKEN]: { balance: '0x0', stateDiff: { [SLOT]: word(0) } } });
    assert.deepEqual(made.after, { [TOKEN]: { balance: '0x0', stateDiff: { [SLOT]: word(4) } } });
    assert.deepEqual([...made.native], []);
    const gone = readExecutionState({}, { pre: { [TOKEN]: slots }, post: {} });
    assert.deepEqual(gone?.after, {
      [TOKEN]: { balance: '0x0', code: '0x', stateDiff: { [SLOT]: word(0) } },
    });
  });
});
