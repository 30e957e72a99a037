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
      others: [],
      execution,
    });
    assert.equal(blobFee(mined().receipt), 0n);
  });

  it('names the vaults of the OP Stack, and contains the fee of the operator', () => {
    const receipt = {
      effectiveGasPrice: '0x77359400',
      l1Fee: '0x64',
      operatorFeeScalar: '0xf4240',
      operatorFeeConstant: '0x5',
    } as const;
    const block = {
      miner: '0x4200000000000000000000000000000000000011',
      baseFeePerGas: '0x3b9aca00',
      extraData: '0x00000000fa00000006',
      requestsHash: '0x01',
    } as const;
    const { paid, received, others, execution } = gasFee(mined({ receipt, block }));
    const operator = 21_000n + 5n;
    assert.equal(paid, execution + 100n + operator);
    const shares = others.map(({ recipient, received: wei }) => [recipient.slice(-2), wei]);
    assert.deepEqual(shares, [
      ['19', execution / 2n],
      ['1a', 100n],
      ['1b', operator],
    ]);
    assert.equal(received, execution / 2n);
  });

  it('gives the recipient nothing if the price is below the base fee', () => {
    const { received, paid } = gasFee(mined({ block: { baseFeePerGas: '0x77359400' } }));
    assert.deepEqual([received, paid], [0n, 21_000n * 1_000_000_000n]);
  });
});
