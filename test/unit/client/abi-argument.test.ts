import assert from 'node:assert/strict';
import { argumentProblem, parseArgument, parseInteger } from '../../../server/client/abi-argument';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const of = (type: string, text: string) => parseArgument({ type }, text);
const problem = (type: string, text: string) => argumentProblem({ type }, text);

describe('an argument typed by the user', () => {
  it('may be an integer in decimal, in hex or with a unit', () => {
    assert.equal(of('uint256', ' 1_000_000 '), 1_000_000n);
    assert.equal(of('uint8', '0xff'), 255n);
    assert.equal(of('int256', '-5'), -5n);
    assert.equal(of('uint256', '1.5 ether'), 1_500_000_000_000_000_000n);
    assert.equal(of('uint256', '30gwei'), 30_000_000_000n);
    assert.equal(of('uint256', (2n ** 256n - 1n).toString()), 2n ** 256n - 1n);
  });

  it('may be a single value of any other type', () => {
    assert.equal(of('bool', 'true'), true);
    assert.equal(of('address', ADDRESS), ADDRESS.toLowerCase());
    assert.equal(of('bytes', '0x'), '0x');
    assert.equal(of('bytes4', '0x12345678'), '0x12345678');
    assert.equal(of('string', ' as it is '), ' as it is ');
  });

  it('may be a list or a struct as JSON, with numbers of any length', () => {
    assert.deepEqual(of('uint256[]', '[1, 123456789012345678901, "2"]'), [
      1n,
      123_456_789_012_345_678_901n,
      2n,
    ]);
    assert.deepEqual(of('bool[2][]', '[[true, false]]'), [[true, false]]);
    const components = [
      { name: 'to', type: 'address' },
      { name: 'amounts', type: 'uint8[]' },
    ];
    const tuple = { type: 'tuple', components };
    const value = { to: ADDRESS.toLowerCase(), amounts: [1n] };
    assert.deepEqual(parseArgument(tuple, `{"to": "${ADDRESS}", "amounts": [1]}`), value);
    assert.deepEqual(parseArgument(tuple, `["${ADDRESS}", [1]]`), value);
    assert.deepEqual(parseArgument({ type: 'tuple[]', components }, `[["${ADDRESS}", [1]]]`), [
      value,
    ]);
  });

  const refused: [type: string, text: string, problem: string][] = [
    ['uint8', '256', 'Enter a whole number from 0 to 2^8 - 1, or such as 1.5 ether.'],
    ['uint256', '-1', 'Enter a whole number from 0 to 2^256 - 1, or such as 1.5 ether.'],
    ['uint256', '1.5', 'Enter a whole number from 0 to 2^256 - 1, or such as 1.5 ether.'],
    ['uint256', '', 'Enter a whole number from 0 to 2^256 - 1, or such as 1.5 ether.'],
    ['int8', '128', 'Enter a whole number of 8 bits, or such as 1.5 ether.'],
    ['bool', 'yes', 'Enter true or false.'],
    ['address', '0x12', 'Enter an address: 0x and 40 hex digits.'],
    ['bytes', '0x123', 'Enter bytes: 0x and an even number of hex digits.'],
    ['bytes32', '0x1234', 'Enter 32 bytes: 0x and 64 hex digits.'],
    ['uint256[]', '1, 2', 'Enter a JSON list for uint256[], such as ["…", "…"].'],
    ['uint256[2]', '[1]', 'Enter a JSON list for uint256[2], such as ["…", "…"].'],
  ];
  for (const [type, text, message] of refused) {
    it(`is rejected as ${type}: ${text || 'nothing'}`, () => {
      assert.equal(problem(type, text), message);
    });
  }

  it('is rejected as a struct if a member is missing', () => {
    const components = [{ name: 'to', type: 'address' }];
    assert.equal(
      argumentProblem({ type: 'tuple', components }, '{"from": "0x"}'),
      'Enter a JSON object with to.',
    );
  });

  it('is not an integer if it has more decimals than the unit', () => {
    assert.equal(parseInteger('1.5 wei'), undefined);
    assert.equal(parseInteger('0.000000001 gwei'), 1n);
  });
});
