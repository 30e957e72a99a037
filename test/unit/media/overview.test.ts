import assert from 'node:assert/strict';
import { buildCallTree } from '../../../media/inspector/model/tree-model';
import { extremes, highlightsOf } from '../../../media/inspector/model/highlights';
import { inUnits } from '../../../server/api/whole-units';
import { knownTokens, nativeWorth } from '../../../media/inspector/grammar/tokens';
import { createPartStore } from '../../../media/inspector/protocol/parts';
import {
  callRow,
  partMessages,
  sandboxParts,
  type SandboxFixture,
} from '../../ui-components/fixtures';

const highlights = (name: SandboxFixture): ReturnType<typeof highlightsOf> =>
  highlightsOf(buildCallTree(sandboxParts(name).flow.rows));

describe('media: highlights', () => {
  it('recognizes a flash loan by its structure', () => {
    assert.deepEqual(highlights('flash-loan').roundTrips, [
      {
        id: 4,
        lender: '0x9a676e781a523b5d0c0e43731313a708cb607508',
        borrower: '0x0b306bf915c4d645ff596e518faf3f9669b97016',
        token: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
        amount: 2_000_000_000n,
      },
    ]);
    assert.deepEqual(highlights('exploit-reentrancy').roundTrips, []);
  });

  it('does not report a loan if the lender does not call the borrower', () => {
    const { flow } = sandboxParts('flash-loan');
    // Without the callback, the same transfers are no loan.
    const rows = flow.rows.map((row) =>
      row.nodeType === 0 && row.invocation.decodedMethod?.name === 'onFlashLoan'
        ? { ...row, invocation: { ...row.invocation, operation: 'STATICCALL' } }
        : row,
    );
    assert.deepEqual(highlightsOf(buildCallTree(rows)).roundTrips, []);
  });

  it('reports creations, swallowed failures and uncertain decodings', () => {
    assert.equal(highlights('approve').created.count, 0);
    assert.equal(highlights('create-contract').created.count, 1);
    assert.equal(highlights('caught-revert').caughtFailures.count, 1);
    const rows = [
      callRow(0, { id: 0 }),
      callRow(1, { id: 1, guessedParams: [{ name: '', type: 'uint256', value: '1' }] }),
      callRow(1, { id: 2, status: false, revert: true }),
    ];
    const found = highlightsOf(buildCallTree(rows));
    assert.deepEqual(found.guesses, { names: 0, argumentTypes: 1 });
    assert.equal(found.unknown, 2);
    assert.deepEqual(found.caughtFailures, { count: 1, first: 2 });
  });

  it('reports the largest gain and loss, among accounts whose prices are all known', () => {
    const { gain, loss } = extremes(sandboxParts('flash-loan').balanceChange);
    assert.deepEqual(gain, {
      account: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
      total: 6998n,
      evidence: 'measured',
    });
    assert.equal(loss?.total, -7300n);
    assert.deepEqual(extremes({ status: true, balanceChange: [] }), {});
  });
});

describe('media: tokens', () => {
  it('converts smallest units to whole units exactly', () => {
    assert.equal(inUnits('2000000000', 6), '2000');
    assert.equal(inUnits('1', 18), '0.000000000000000001');
    assert.equal(inUnits('1500', 3), '1.5');
    assert.equal(inUnits('7', 0), '7');
  });

  it('multiplies an amount by the price of the native asset, if known', () => {
    const store = createPartStore(() => undefined);
    assert.equal(nativeWorth(store.parts, '2'), '');
    for (const message of partMessages(
      'balanceChange',
      sandboxParts('exploit-reentrancy').balanceChange,
    )) {
      if (message.type === 'head' || message.type === 'slice') store.receive(message);
    }
    const tokens = knownTokens(store.parts);
    assert.equal(
      nativeWorth(store.parts, '0.5'),
      String(Number([...tokens.values()][0]!.price) / 2),
    );
    assert.equal(nativeWorth(store.parts, ''), '');
  });
});
