import assert from 'node:assert/strict';
import {
  blobPriceAt,
  nextExcessBlobGas,
  withBlobPrice,
} from '../../../../server/evm/rules/blob-price';
import { fakeExponential } from '../../../../server/evm/rules/fake-exponential';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { mined, word } from '../../../support/analysis';

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

  it('has the schedule of each public network', () => {
    for (const [chainId, bpo1, bpo2] of [
      [1, 1_765_290_071, 1_767_747_671],
      [11_155_111, 1_761_017_184, 1_761_607_008],
      [17_000, 1_759_800_000, 1_760_389_824],
      [560_048, 1_762_365_720, 1_762_955_544],
    ] as const) {
      assert.deepEqual(
        [bpo1 - 1, bpo1, bpo2 - 1, bpo2].map((time) => priceAt(chainId, 'osaka', time)),
        [5_007_716, 8_346_193, 8_346_193, 11_684_671].map(about),
      );
    }
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

describe('the excess blob gas of the next block', () => {
  const BLOB = 131_072;
  /** @param base base fee of the parent in wei */
  const after = (
    hardfork: 'cancun' | 'prague' | 'osaka',
    [excess, used]: [number, number],
    { base = 7, time = 1_767_747_671 }: { base?: number; time?: number } = {},
  ) =>
    nextExcessBlobGas(
      { chainId: 1, hardfork },
      {
        excessBlobGas: toQuantity(excess),
        blobGasUsed: toQuantity(used * BLOB),
        baseFeePerGas: toQuantity(base),
        timestamp: toQuantity(time - 12),
      },
      time,
    );

  it('is what exceeds the target of the schedule', () => {
    assert.equal(after('cancun', [2 * BLOB, 2]), BigInt(BLOB));
    assert.equal(after('prague', [6 * BLOB, 2]), BigInt(2 * BLOB));
    assert.equal(after('osaka', [20 * BLOB, 5]), BigInt(11 * BLOB));
    assert.equal(after('osaka', [20 * BLOB, 5], { time: 1_765_290_071 }), BigInt(15 * BLOB));
    assert.equal(after('osaka', [8 * BLOB, 5]), 0n);
    assert.equal(after('osaka', [8 * BLOB, 6]), 0n);
  });

  it('does not fall while blobs cost less than the reserve price (EIP-7918)', () => {
    // 8,192 gas at this base fee cost more than a blob at 1 wei: the third part of the blobs' gas is added.
    assert.equal(after('osaka', [20 * BLOB, 21], { base: 17 }), BigInt(27 * BLOB));
    assert.equal(after('osaka', [20 * BLOB, 0], { base: 17 }), BigInt(20 * BLOB));
    assert.equal(after('osaka', [20 * BLOB, 0], { base: 16 }), BigInt(6 * BLOB));
    assert.equal(after('prague', [20 * BLOB, 0], { base: 17 }), BigInt(14 * BLOB));
    // A price of about 2.3 million wei is above the reserve price of a base fee of 36 million wei.
    assert.equal(
      after('osaka', [171_155_899, 0], { base: 36_000_000 }),
      171_155_899n - 14n * 131_072n,
    );
    assert.equal(after('osaka', [171_155_899, 0], { base: 37_000_000 }), 171_155_899n);
  });

  it('is unknown if the header contains none', () => {
    assert.equal(
      nextExcessBlobGas({ chainId: 1, hardfork: 'osaka' }, { timestamp: '0x1' }, 2),
      undefined,
    );
  });
});
