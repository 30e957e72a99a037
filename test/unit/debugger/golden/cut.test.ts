import { VERSIONS } from '../solidity';
import { golden } from './golden';
import type { Scene } from './stage';

const scene: Scene = {
  file: 'Cut.sol',
  deploy: { cut: ['Cut'] },
  transaction: {
    to: 'cut',
    call: 'run(uint256,bytes32)',
    arguments: [256, `0xab${'cd'.repeat(31)}`],
  },
};
const refused = /^0\.[4567]/;

describe('golden scripts of values that are cut to their types', function () {
  this.timeout(60_000);
  for (const version of VERSIONS) {
    golden(`${version}: as Solidity cuts them`, { ...scene, version }, [
      {
        goto: 'Cut.sol:13',
        values: {
          small: '44',
          negative: '-1',
          head: '0xa444f5e9',
          first: '0xab',
          who: '0x0000000000000000000000000000000000000005',
          'small == 44': 'true',
          'negative < 0': 'true',
        },
      },
      {
        goto: 'Cut.sol:20',
        stack: ['Cut.inner(part: 45):20', `Cut.run(n: 256, word: 0xab${'cd'.repeat(31)}):15`],
      },
    ]);
  }

  for (const version of VERSIONS.filter((one) => refused.test(one))) {
    golden(`${version}: literals too`, { ...scene, version }, [
      {
        goto: 'Cut.sol:13',
        values: {
          'uint8(300)': '44',
          'uint256(-1) == type(uint256).max': 'true',
          'int8(200)': '-56',
          'total < uint256(-1)': 'true',
        },
      },
    ]);
  }
});
