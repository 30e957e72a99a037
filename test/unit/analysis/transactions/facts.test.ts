import assert from 'node:assert/strict';
import { transactionFacts } from '../../../../server/analysis/transactions/facts';
import { mined, network, without } from '../../../support/analysis';

describe('transactionFacts', () => {
  it('have no fee if the node names no price, and no receiver for a creation', () => {
    const { receipt, transaction, ...rest } = mined({ transaction: { to: null } });
    const bare = without(receipt, 'effectiveGasPrice');
    const unpriced = without(transaction, 'gasPrice');
    const facts = transactionFacts(network(), { ...rest, transaction: unpriced, receipt: bare });
    assert.deepEqual([facts.fee, facts.to], ['', null]);
    const old = transactionFacts(network(), { ...rest, transaction, receipt: bare });
    assert.equal(old.fee, '0.000021');
  });
});
