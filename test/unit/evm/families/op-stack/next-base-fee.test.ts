import assert from 'node:assert/strict';
import type { RpcBlockHeader } from '../../../../../server/evm/forms/types';
import {
  baseFeeRuleOf,
  nextBaseFee,
} from '../../../../../server/evm/families/op-stack/next-base-fee';

const VAULT = '0x4200000000000000000000000000000000000011';
const header = (fields: object): RpcBlockHeader =>
  ({
    miner: VAULT,
    baseFeePerGas: '0x115',
    gasLimit: '0x3938700',
    ...fields,
  }) as unknown as RpcBlockHeader;
/** Base fee after a block, by the rule that its header shows. */
const after = (chainId: number, fields: object): bigint | undefined => {
  const block = header({ gasUsed: '0x0', ...fields });
  const rule = baseFeeRuleOf(chainId, block);
  return rule && nextBaseFee(rule, block);
};

describe('the base fee after a block of the OP Stack', () => {
  it('is that of OP Sepolia’s block 26208858, and rises by 1 wei at least', () => {
    const extraData = '0x00000000fa00000006';
    assert.equal(after(11_155_420, { extraData, gasUsed: '0x4fb0e0' }), 277n);
    const used = { extraData, gasUsed: '0xb46435', baseFeePerGas: '0x115' };
    assert.equal(after(11_155_420, used), 278n);
  });

  it('falls and rises by the parameters in the header', () => {
    const extraData = '0x000000000800000002';
    const block = { extraData, baseFeePerGas: '0x3e8', gasLimit: '0x3e8' };
    assert.equal(after(1, { ...block, gasUsed: '0x0' }), 875n);
    assert.equal(after(1, { ...block, gasUsed: '0x1f4' }), 1_000n);
    assert.equal(after(1, { ...block, gasUsed: '0x3e8' }), 1_125n);
  });

  it('is not below the minimum of Jovian, and counts the footprint of the data', () => {
    const extraData = '0x010000000800000002000000000000038e';
    const block = { extraData, baseFeePerGas: '0x3e8', gasLimit: '0x3e8' };
    assert.equal(after(1, block), 910n);
    // It was raised in this block.
    assert.equal(after(1, { ...block, baseFeePerGas: '0xa' }), 910n);
    assert.equal(after(1, { ...block, blobGasUsed: '0x3e8' }), 1_125n);
  });

  it('has the chain’s own parameters where the header has none', () => {
    const block = { baseFeePerGas: '0xf4240', gasLimit: '0x1c9c380', withdrawalsRoot: '0x01' };
    assert.equal(after(10, block), 1_000_000n - 4_000n);
    assert.equal(after(10, { ...block, withdrawalsRoot: undefined }), 1_000_000n - 20_000n);
    assert.equal(after(10, { ...block, extraData: '0x000000000000000000' }), 996_000n);
    assert.deepEqual(baseFeeRuleOf(84_532, header(block)), { denominator: 250, elasticity: 10 });
  });

  it('stays at the floor of Celo, unless the chain has left it', () => {
    assert.equal(after(42_220, { baseFeePerGas: '0x5d21dba00' }), 25_000_000_000n);
    assert.equal(after(42_220, { baseFeePerGas: '0x3e8' }), 998n);
  });

  it('follows Ethereum elsewhere', () => {
    assert.equal(after(1, { miner: `0x${'1'.repeat(40)}` }), undefined);
    assert.equal(after(10, { baseFeePerGas: undefined }), undefined);
  });
});
