import assert from 'node:assert/strict';
import { debug, shown } from './debugged';
import type { Settings } from './solidity';

const TEXT = `pragma solidity ^0.8.0;
contract Keyed {
    enum Colour { Red, Green }
    struct Pair { uint256 first; uint256 second; }
    mapping(uint256 => uint256) numbered;
    mapping(string => uint256) named;
    mapping(bytes32 => uint256) coded;
    mapping(Colour => uint256) coloured;
    mapping(uint256 => Pair) pairs;
    mapping(uint256 => mapping(address => uint256)) nested;
    uint256 constant KEY = 77;
    event Done();
    function run() external {
        numbered[5] = 1;
        numbered[KEY] = 2;
        named["alice"] = 3;
        coded["code"] = 4;
        coloured[Colour.Green] = 5;
        pairs[9].second = 6;
        nested[5][msg.sender] = 7;
        emit Done();
    }
}
`;
const SETTINGS: Readonly<Record<string, Settings>> = {
  'without the optimizer': {},
  'with the optimizer': { optimizer: { enabled: true, runs: 200 } },
  'via IR, with the optimizer': { optimizer: { enabled: true }, viaIR: true },
};

describe('keys of mappings that the source names', () => {
  for (const [how, settings] of Object.entries(SETTINGS)) {
    it(`are known ${how}`, () => {
      const debugged = debug({
        text: TEXT,
        contract: 'Keyed',
        call: 'function run()',
        settings,
        otherStorage: () => 0n,
      });
      const at = debugged.variables.at(debugged.recording.steps - 1, 0);
      const entries = (name: string): string[] =>
        shown(at.children(`state:${name}`).variables).sort();
      assert.deepEqual(entries('numbered'), ['[5] = 1', '[77] = 2']);
      assert.deepEqual(entries('named'), ['["alice"] = 3']);
      assert.deepEqual(entries('coded'), [
        `[0x${Buffer.from('code').toString('hex').padEnd(64, '0')}] = 4`,
      ]);
      assert.deepEqual(entries('coloured'), ['[Keyed.Colour.Green] = 5']);
      assert.deepEqual(entries('pairs'), ['[9] = {first: 0, second: 6}']);
      assert.deepEqual(entries('nested[5]'), [`[0x${'a1'.repeat(20)}] = 7`]);
      assert.deepEqual(entries('nested'), ['[5] = 1 known key']);
    });
  }
});

describe('the memory of a recording', () => {
  it('includes the keys that it hashes', () => {
    const text = `pragma solidity ^0.8.0; contract Many {
      mapping(uint256 => uint256) numbered;
      function run(uint256 count) external { for (uint256 i = 0; i < count; i++) numbered[i]; }
    }`;
    const bytesOf = (count: number): number => {
      const call = 'function run(uint256)';
      const { recording } = debug({ text, contract: 'Many', call, values: [count] });
      return recording.hashes.bytes;
    };
    assert.deepEqual([bytesOf(0), bytesOf(10)], [0, 10 * (200 + 2 * 64)]);
  });
});
