import assert from 'node:assert/strict';
import { debug, debugTwin, type Debugged } from './debugged';
import type { Settings } from './solidity';

const TEXT = `
contract Till {
    struct Sale { uint64 price; bool isPaid; }
    uint256 stored;
    function run(uint256 given) external returns (uint256) {
        (uint64 low, bool isLow, bytes4 mark) = three(given);
        uint256 sum = add(given, low);
        string memory text = named();
        Sale memory sale = sold();
        nothing(sum);
        stored = again(3) + sale.price + uint256(uint32(mark)) + bytes(text).length;
        return isLow ? stored : 0;
    }
    function three(uint256 a) internal view returns (uint64 low, bool isLow, bytes4 mark) {
        low = uint64(a + stored);
        isLow = low > 1;
        mark = 0x01020304;
    }
    function add(uint256 a, uint256 b) internal view returns (uint256) {
        return a + b + stored;
    }
    function named() internal view returns (string memory text) {
        text = stored > 5 ? "shop" : "till";
    }
    function sold() internal view returns (Sale memory) {
        return Sale(uint64(stored + 4), true);
    }
    function nothing(uint256 a) internal {
        stored = a;
    }
    function again(uint256 n) internal view returns (uint256) {
        return n == 0 ? stored : again(n - 1) + 1;
    }
}
`;
const RUN = {
  text: TEXT,
  contract: 'Till',
  call: 'function run(uint256)',
  values: [5n],
  otherStorage: (): bigint => 0n,
};
/** The results of each call inside the contract that has some, by the name of its function. */
const resultsOf = ({ calls, variables }: Debugged): string[] =>
  calls.calls.flatMap(({ kind, function: called }, index) => {
    if (kind !== 'internal') return [];
    const found = variables.resultsOf(index) ?? [];
    return found.map(
      ({ name, type, value, unavailable }) =>
        `${called?.name}: ${type} ${name} ${unavailable ?? value}`,
    );
  });

const ALL = [
  'three: uint64 low 5',
  'three: bool isLow true',
  'three: bytes4 mark 0x01020304',
  'add: uint256  10',
  'named: string text "till"',
  'sold: Till.Sale  {price: 4, isPaid: true}',
];

describe('what functions inside a contract returned', () => {
  for (const [name, settings] of Object.entries<Settings>({
    'without the optimizer': {},
    'via IR': { viaIR: true },
  })) {
    it(`is known ${name}`, () => {
      const found = resultsOf(debug({ ...RUN, settings }));
      assert.deepEqual(
        found.filter((one) => !one.startsWith('again')),
        ALL,
      );
    });
  }

  it('is known of functions that call themselves where the place of the results is certain', () => {
    const again = (settings: Settings): string[] =>
      resultsOf(debug({ ...RUN, settings })).filter((one) => one.startsWith('again'));
    const all = ['13', '12', '11', '10'].map((value) => `again: uint256  ${value}`);
    assert.deepEqual(again({}), all);
    const other = 'the stack after its call has another form than that of its results';
    assert.deepEqual(again({ viaIR: true }), [
      ...all.slice(0, 2),
      `again: uint256  ${other}`,
      `again: uint256  ${other}`,
    ]);
  });

  it('is unavailable with a reason via IR with the optimizer, and known in its unoptimized build', async () => {
    const settings = { viaIR: true, optimizer: { enabled: true, runs: 1 } };
    const found = resultsOf(debug({ ...RUN, settings }));
    assert.ok(found.length > 0);
    for (const one of found) {
      assert.match(
        one,
        /it was compiled via IR with the optimizer, which removes and merges results/,
      );
    }
    const twin = resultsOf(await debugTwin({ ...RUN, settings }));
    assert.deepEqual(twin.slice(0, ALL.length), ALL);
  });
});
