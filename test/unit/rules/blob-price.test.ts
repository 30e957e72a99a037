import assert from 'node:assert/strict';
import { blobPriceAt, withBlobPrice } from '../../../server/rules/blob-price';
import { fakeExponential } from '../../../server/rules/fake-exponential';
import { toQuantity } from '../../../server/ethereum/quantity';
import { mined, word } from '../../support/analysis';

/** About 4 units of excess: the price is about e ** (excess / fraction). */
const EXCESS = 20_000_000;
const priceAt = (chainId: number, hardfork: 'cancun' | 'prague' | 'osaka', time: number) =>
  blobPriceAt(
    { chainId, hardfork },
    { excessBlobGas: toQuantity(EXCESS), timestamp: toQuantity(time) },
  );
const about = (fraction: number): bigint => BigInt(Math.floor(Math.exp(EXCESS / fraction)));

describe('the price of blob gas', () => {
  it('is the integer exponential of EIP-4844', () => {
    // 1 + 2 + 4/2 + 8/6, each term rounded down
    assert.equal(fakeExponential(1n, 2n, 1n), 6n);
    assert.equal(fakeExponential(1n, 0n, 7n), 1n);
    assert.equal(fakeExponential(5n, 0n, 7n), 5n);
  });

  it('has an update fraction for each hardfork and, if known, for each blob parameter fork', () => {
    assert.equal(priceAt(1, 'cancun', 1_720_000_000), about(3_338_477));
    assert.equal(priceAt(1, 'prague', 1_750_000_000), about(5_007_716));
    assert.equal(priceAt(1, 'osaka', 1_765_000_000), about(5_007_716));
    assert.equal(priceAt(1, 'osaka', 1_765_290_071), about(8_346_193));
    assert.equal(priceAt(1, 'osaka', 1_767_747_671), about(11_684_671));
    assert.equal(priceAt(999, 'osaka', 1_767_747_671), about(5_007_716));
    assert.equal(priceAt(56, 'prague', 1_750_000_000), about(3_338_477));
  });

  it('is unknown if the header contains no excess', () => {
    assert.equal(blobPriceAt({ chainId: 1, hardfork: 'cancun' }, { timestamp: '0x1' }), undefined);
  });

  it('is added only to a receipt without it', () => {
    const { receipt, block } = mined({ block: { excessBlobGas: '0x0' } });
    const blob = { blobVersionedHashes: [word(1), word(2)] };
    const rules = { chainId: 1, hardfork: 'prague' } as const;
    const { blobGasUsed, blobGasPrice } = withBlobPrice(receipt, blob, block, rules);
    assert.deepEqual([blobGasUsed, blobGasPrice], ['0x40000', '0x1']);
    assert.equal(withBlobPrice(receipt, {}, block, rules), receipt);
    const reported = { ...receipt, blobGasUsed: '0x40000', blobGasPrice: '0x9' } as const;
    assert.equal(withBlobPrice(reported, blob, block, rules), reported);
  });
});
