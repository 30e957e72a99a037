import assert from 'node:assert/strict';
import { maxTransactionGas } from '../../../../server/evm/rules/transaction-gas';

describe('the gas limit of a transaction', () => {
  it('exists since Osaka (EIP-7825), and is higher on Polygon', () => {
    assert.equal(maxTransactionGas({ chainId: 1, hardfork: 'prague' }), undefined);
    assert.equal(maxTransactionGas({ chainId: 1, hardfork: 'osaka' }), 16_777_216);
    assert.equal(maxTransactionGas({ chainId: 137, hardfork: 'osaka' }), 33_554_432);
    assert.equal(maxTransactionGas({ chainId: 137, hardfork: 'prague' }), undefined);
  });
});
