import assert from 'node:assert/strict';
import { blobFee, gasFee } from '../../../../server/analysis/gas/fee';
import { account, mined } from '../../../support/analysis';

describe('gas fee', () => {
  it('contains the execution, blobs and the fee of the parent chain', () => {
    const receipt = {
      effectiveGasPrice: '0x77359400',
      blobGasUsed: '0x20000',
      blobGasPrice: '0x3',
      l1Fee: '0x64',
    } as const;
    const priced = mined({ receipt, block: { baseFeePerGas: '0x3b9aca00' } });
    const execution = 21_000n * 2_000_000_000n;
    assert.deepEqual(gasFee(priced), {
      payer: account(0xa11),
      paid: execution + 393_216n + 100n,
      recipient: account(0xfee),
      received: execution / 2n,
      execution,
    });
    assert.equal(blobFee(mined().receipt), 0n);
  });

  it('gives the recipient nothing if the price is below the base fee', () => {
    const { received, paid } = gasFee(mined({ block: { baseFeePerGas: '0x77359400' } }));
    assert.deepEqual([received, paid], [0n, 21_000n * 1_000_000_000n]);
  });
});
