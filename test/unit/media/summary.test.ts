import assert from 'node:assert/strict';
import { buildCallTree, failureOrigin } from '../../../media/inspector/call-tree/tree-model';
import { summarize, verificationText, type Summary } from '../../../media/inspector/header/summary';
import type { Flow } from '../../../media/inspector/protocol';
import { flowForWebview } from '../../../extension/inspector/flow-rows';
import { callRow, fixture, flowOf } from '../../ui-components/fixtures';

function summaryOf(flow: Flow): Summary {
  const tree = buildCallTree(flow.rows);
  return summarize(flow, tree, failureOrigin(tree));
}

describe('media: summary', () => {
  it('tells a success by its method', () => {
    assert.deepEqual(summaryOf(flowForWebview(fixture('swap').flow)), {
      outcome: 'success',
      method: 'swapExactTokensForTokens',
    });
  });

  it('tells a revert with the reason and the frame that threw', () => {
    const { outcome, failure } = summaryOf(flowForWebview(fixture('revert').flow));
    assert.equal(outcome, 'reverted');
    assert.match(failure?.reason ?? '', /^WithdrawalLimitExceeded\(/);
    assert.equal(failure?.origin.decodedMethod?.name, 'checkLimit');
  });

  it('tells other failures from reverts, and plain transfers and creations from calls', () => {
    const failed = flowOf([callRow(0, { status: false, errorInfo: 'out of gas' })], {
      status: false,
    });
    assert.equal(summaryOf(failed).outcome, 'failed');
    const transfer = flowOf([callRow(0, { selector: 'fallback' })]);
    assert.equal(summaryOf(transfer).method, 'Transfer');
    const creation = flowOf([callRow(0, { operation: 'CREATE', selector: '' })]);
    creation.transaction = { ...creation.transaction, to: null };
    assert.equal(summaryOf(creation).method, 'Contract creation');
  });

  it('survives an empty trace', () => {
    assert.deepEqual(summaryOf(flowOf([])), { outcome: 'success', method: '' });
    assert.equal(summaryOf(flowOf([], { status: false })).outcome, 'failed');
  });

  it('explains where the trace comes from and whether to trust it', () => {
    assert.equal(verificationText({ method: 'debug', faithful: true }).word, 'Verified');
    assert.match(
      verificationText({ method: 'replay', faithful: true }).explanation,
      /local replay/,
    );
    const differs = verificationText({ method: 'replay', faithful: false, firstDifference: 'gas' });
    assert.equal(differs.word, 'Differs from receipt');
    assert.match(differs.explanation, /\(gas\)/);
  });
});
