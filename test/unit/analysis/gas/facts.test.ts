import assert from 'node:assert/strict';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { LocatedExecution } from '../../../../server/analysis/executed-transaction';
import type { ExecutionState } from '../../../../server/analysis/execution-state';
import { gasFacts } from '../../../../server/analysis/gas/facts';
import type { MinedTransaction } from '../../../../server/analysis/ports';
import type { Hex } from '../../../../server/api/primitives';
import { account, frame, identification, mined } from '../../../support/analysis';
import { AUTHORIZATION } from '../../../support/gas-facts';

const SHOP = account(0xb0b);
const BANK = account(0xba);

describe('gas facts', () => {
  const located = (
    values: {
      root?: Partial<CallFrame>;
      transaction?: Partial<MinedTransaction['transaction']>;
      receipt?: object;
      state?: ExecutionState;
      code?: Hex;
    } = {},
  ): LocatedExecution =>
    ({
      executed: {
        mined: mined({
          transaction: { ...values.transaction },
          receipt: { ...values.receipt },
        }),
        trace: {
          root: frame({ ...values.root }),
          method: 'debug',
          reportedGas: 21_000,
          ...(values.state ? { state: values.state } : {}),
        },
      },
      known: identification(values.code === undefined ? {} : { [SHOP]: { code: values.code } }),
    }) as unknown as LocatedExecution;
  const untouched: ExecutionState = { native: new Map(), before: { [SHOP]: {} }, after: {} };
  const used: ExecutionState = { ...untouched, before: { [BANK]: {}, [SHOP]: { stateDiff: {} } } };
  const bare = { code: '0x' } as const;

  it('come from the receipt, the transaction and the rules', () => {
    const transaction = { authorizationList: [AUTHORIZATION] };
    assert.deepEqual(gasFacts(located({ transaction, root: { gasUsed: 50_000 } }), 'prague'), {
      gasLimit: 100_000,
      gasUsed: 50_000,
      intrinsic: { intrinsic: 46_000, floor: 21_000, refundDivisor: 5 },
      authorizations: 1,
      outcome: 'success',
      mayEarnRefunds: true,
    });
    assert.equal(gasFacts(located(), 'prague').authorizations, 0);
  });

  it('have no intrinsic gas if the rules are unknown or those of Arbitrum', () => {
    assert.equal(gasFacts(located(), null).intrinsic, undefined);
    const receipt = { gasUsedForL1: '0x0' };
    assert.equal(gasFacts(located({ receipt }), 'prague').intrinsic, undefined);
  });

  it('contain how the transaction ended', () => {
    const outcome = (error?: string) =>
      gasFacts(located({ root: error === undefined ? {} : { error } }), 'prague').outcome;
    assert.deepEqual(
      [outcome(), outcome('execution reverted'), outcome('Reverted'), outcome('out of gas')],
      ['success', 'reverted', 'reverted', 'halted'],
    );
  });

  it('contain whether the execution may have earned refunds', () => {
    const may = (values: Parameters<typeof located>[0], rules: 'prague' | 'istanbul' = 'prague') =>
      gasFacts(located(values), rules).mayEarnRefunds;
    assert.equal(may({}), true, 'code that is unknown');
    assert.equal(may(bare), false, 'no code');
    assert.equal(may({ ...bare, root: { items: [frame()] } }), true, 'code ran');
    assert.equal(may({ ...bare, transaction: { to: null } }), true, 'a creation');
    assert.equal(may({ code: '0x60', state: untouched }), false, 'no storage');
    assert.equal(may({ code: '0x60', state: used }), true, 'storage');
    const root = { items: [frame(), frame({ type: 'SELFDESTRUCT' })] };
    assert.equal(may({ root, state: untouched }), false, 'no refund for self-destructions');
    assert.equal(may({ root, state: untouched }, 'istanbul'), true, 'before London');
    assert.equal(may({ root: { items: [frame()] }, state: untouched }, 'istanbul'), false);
  });
});
