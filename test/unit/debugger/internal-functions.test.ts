import assert from 'node:assert/strict';
import { id } from 'ethers';
import { debug } from './debugged';
import type { Settings } from './solidity';

const TEXT = `
function doubled(uint256 x) pure returns (uint256) { return 2 * x; }
function tripled(uint256 x) pure returns (uint256) { return 3 * x; }
using {tripled} for uint256;
interface Shop { function buy(uint256 a) external; function sell(uint256 a) external returns (uint256); }
interface Mall is Shop { function close() external; }
library Sums {
    function plus(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
    function plus(uint256 a, bool both) internal pure returns (uint256) { return both ? a + 1 : a; }
    function first(uint256[] storage list) internal view returns (uint256) { return list[0]; }
}
contract Base {
    uint256 internal rate = 3;
    function fee(uint256 x) internal view virtual returns (uint256) { return x * rate; }
    function hidden(uint256 x) private pure returns (uint256) { return x + 7; }
}
contract Till is Base {
    using Sums for uint256;
    using Sums for uint256[];
    error Poor(uint256 needed);
    event Paid(address who, uint256 amount);
    uint256 total;
    uint256[] list;
    function fee(uint256 x) internal view override returns (uint256) { return super.fee(x) + 1; }
    function capped(uint256 x) internal view returns (uint256 result) {
        result = x;
        if (x > total) { result = total; }
        for (uint256 i; i < 3; ++i) result += i;
    }
    function factorial(uint256 n) internal pure returns (uint256) { return n < 2 ? 1 : n * factorial(n - 1); }
    function wrapped(uint8 x) internal pure returns (uint8) { unchecked { return x - 1; } }
    function checked(uint256 x) internal pure returns (uint256) { require(x > 5, "small"); return x; }
    function refused(uint256 x) internal pure returns (uint256) { if (x > 5) revert Poor(x); return x; }
    function endless() internal pure returns (uint256 x) { while (true) x++; }
    function pair() internal pure returns (uint256, uint256) { return (1, 2); }
    function run(uint256 n) external returns (uint256) {
        total = 10;
        list.push(n);
        return total; // end
    }
}
`;

describe('functions of the source in expressions', () => {
  for (const settings of [{}, { optimizer: { enabled: true, runs: 200 } }] satisfies Settings[]) {
    const at = (expression: string) =>
      debug({
        text: TEXT,
        contract: 'Till',
        call: 'function run(uint256)',
        values: [8],
        settings,
        storage: new Map([[0n, 3n]]),
        otherStorage: () => 0n,
      })
        .at('// end')
        .evaluate(expression);

    for (const [expression, expected] of [
      ['doubled(4)', '8'],
      ['capped(20)', '13'],
      ['capped(4)', '7'],
      ['factorial(5)', '120'],
      ['wrapped(0)', '255'],
      ['checked(6)', '6'],
      ['Sums.plus(1, 2)', '3'],
      ['total.plus(2)', '12'],
      ['total.plus(true)', '11'],
      ['total.tripled()', '30'],
      ['list.first()', '8'],
      ['total.plus(doubled(total))', '30'],
      ['run.selector', id('run(uint256)').slice(0, 10)],
      ['this.run.selector', id('run(uint256)').slice(0, 10)],
      ['Shop.buy.selector', id('buy(uint256)').slice(0, 10)],
      ['Poor.selector', id('Poor(uint256)').slice(0, 10)],
      ['Paid.selector', id('Paid(address,uint256)')],
      ['type(Mall).interfaceId', id('close()').slice(0, 10)],
      ['type(Till).name', '"Till"'],
    ] as const) {
      it(`have their values: ${expression}, ${JSON.stringify(settings)}`, () => {
        const { value, unavailable } = at(expression);
        assert.equal(unavailable, undefined);
        assert.equal(value, expected);
      });
    }

    for (const [expression, reason] of [
      ['checked(5)', /^checked reverts$/],
      ['refused(6)', /^refused reverts$/],
      ['endless()', /^endless is not evaluated: it executes too many statements$/],
      ['pair()', /^pair is not evaluated: it does not return one value$/],
      ['fee(1)', /^fee is not evaluated: super\.fee is a function/],
      ['factorial(30)', /^more than 16 functions call one another$/],
    ] as const) {
      it(`say why they have none: ${expression}, ${JSON.stringify(settings)}`, () => {
        assert.match(at(expression).unavailable ?? '', reason);
      });
    }
  }
});
