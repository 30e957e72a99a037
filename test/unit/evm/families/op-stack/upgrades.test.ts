import assert from 'node:assert/strict';
import { knownChain } from '../../../../../server/evm/families/known-chains';
import {
  hasUpgrade,
  isExactOpStack,
  opUpgradeOf,
  type OpHeader,
} from '../../../../../server/evm/families/op-stack/upgrades';

const UNKNOWN_CHAIN = 424_242;
const VAULT = '0x4200000000000000000000000000000000000011';
const header = (fields: Partial<OpHeader>): OpHeader => ({ timestamp: '0x0', ...fields });

describe('the upgrades of the OP Stack', () => {
  it('are those that the header of a block shows, on chains that no table knows', () => {
    const isOf = (fields: Partial<OpHeader>): string => opUpgradeOf(UNKNOWN_CHAIN, header(fields));
    assert.equal(isOf({ extraData: '0x01000000fa000000060000000000000064' }), 'jovian');
    assert.equal(isOf({ extraData: '0x00000000fa00000006', requestsHash: '0x01' }), 'isthmus');
    assert.equal(isOf({ extraData: '0x00000000fa00000006', excessBlobGas: '0x0' }), 'holocene');
    assert.equal(isOf({ extraData: '0x' }), 'regolith');
  });

  it('follow the times of the Superchain between Ecotone and Holocene', () => {
    const at = (chainId: number, time: number): string =>
      opUpgradeOf(chainId, header({ excessBlobGas: '0x0', timestamp: `0x${time.toString(16)}` }));
    assert.deepEqual(
      [1_720_627_200, 1_720_627_201, 1_726_070_401].map((time) => at(10, time)),
      ['ecotone', 'fjord', 'granite'],
    );
    assert.equal(at(11_155_420, 1_716_998_400), 'fjord');
  });

  it('are ordered', () => {
    assert.ok(hasUpgrade('jovian', 'isthmus') && !hasUpgrade('holocene', 'isthmus'));
  });

  it('hold for blocks whose fee recipient is the vault, unless the chain has fees of its own', () => {
    const block = { miner: VAULT, baseFeePerGas: '0x1' } as const;
    assert.ok(isExactOpStack(UNKNOWN_CHAIN, block));
    assert.ok(!isExactOpStack(42_220, block));
    assert.ok(!isExactOpStack(UNKNOWN_CHAIN, { ...block, miner: `0x${'1'.repeat(40)}` }));
    assert.ok(!isExactOpStack(10, { miner: VAULT }));
  });

  it('do not hold for chains with fees of their own, whose forks say what they do not charge', () => {
    const block = { miner: VAULT, baseFeePerGas: '0x1' } as const;
    const [opBnb, mantle, celo] = [
      [204, 5_611],
      [5_000, 5_003],
      [42_220, 11_142_220, 44_787, 62_320],
    ];
    for (const chainId of [...opBnb, ...mantle, ...celo, 81_457, 168_587_773]) {
      assert.ok(!isExactOpStack(chainId, block));
      assert.match(
        knownChain(chainId).differences ?? '',
        /^the L1 data fee is not charged/,
        `${chainId}`,
      );
    }
  });
});
