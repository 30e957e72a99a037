import assert from 'node:assert/strict';
import { hardforkAt } from '../../../server/rules/hardfork';

const at = (chainId: number, number: number, timestamp: number) =>
  hardforkAt({ slug: 'chain', chainId }, { number, timestamp });

describe('the hardfork of a block', () => {
  it('follows Ethereum’s blocks and times', () => {
    const cases: [number, number, string][] = [
      [0, 0, 'frontier'],
      [1_149_999, 1_457_981_342, 'frontier'],
      [1_150_000, 1_457_981_393, 'homestead'],
      [2_463_000, 1_476_796_771, 'tangerine'],
      [2_675_000, 1_479_831_344, 'spuriousDragon'],
      [4_370_000, 1_508_131_331, 'byzantium'],
      [7_280_000, 1_551_383_524, 'petersburg'],
      [9_069_000, 1_575_764_709, 'istanbul'],
      [12_243_999, 1_618_481_214, 'muirGlacier'],
      [12_244_000, 1_618_481_223, 'berlin'],
      [12_965_000, 1_628_166_822, 'london'],
      [15_537_394, 1_663_224_179, 'paris'],
      [17_034_869, 1_681_338_454, 'paris'],
      [17_034_870, 1_681_338_455, 'shanghai'],
      [19_426_587, 1_710_338_135, 'cancun'],
      [22_431_084, 1_746_612_311, 'prague'],
      [23_935_694, 1_764_798_551, 'osaka'],
    ];
    for (const [number, timestamp, hardfork] of cases) {
      assert.deepEqual(at(1, number, timestamp), { hardfork }, String(number));
    }
  });

  it('follows the tables of other chains', () => {
    assert.deepEqual(at(10, 1, 1_640_000_000), { hardfork: 'berlin' });
    assert.deepEqual(at(8_453, 1, 1_710_374_401), { hardfork: 'cancun' });
    assert.deepEqual(at(11_155_111, 1, 1_640_000_000), { hardfork: 'london' });
    assert.deepEqual(at(560_048, 1, 1_742_999_831), { hardfork: 'cancun' });
    assert.deepEqual(at(560_048, 1, 1_761_677_592), { hardfork: 'osaka' });
    assert.deepEqual(at(84_532, 1, 1_744_905_600), { hardfork: 'prague' });
    assert.deepEqual(at(7_777_777, 1, 1_710_374_400), { hardfork: 'shanghai' });
    assert.deepEqual(at(57_073, 1, 1_746_806_400), { hardfork: 'cancun' });
    assert.deepEqual(at(1_868, 1, 1_746_806_401), { hardfork: 'prague' });
  });

  it('is the configured one', () => {
    const pinned = { slug: 'x', chainId: 1, hardfork: 'byzantium' } as const;
    assert.deepEqual(hardforkAt(pinned, { number: 2e7, timestamp: 2e9 }), {
      hardfork: 'byzantium',
    });
  });

  it('is a guess with a warning for an unknown chain', () => {
    const { hardfork, warning } = at(4_242, 1, 1);
    assert.equal(hardfork, 'osaka');
    assert.match(warning ?? '', /chain chain \(id 4242\) are not known: osaka is assumed/);
  });
});
