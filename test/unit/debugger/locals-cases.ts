import type { Run } from './debugged';
import { FLOW, forVersion, FRAMES, REFERENCES } from './locals-contracts';
import { MODERN } from './modern-contract';
import { SENDER } from './record';
import type { Version } from './solidity';

const OTHER = `0x${'d2'.repeat(20)}`;
const WORD = `0x${'e5'.repeat(32)}`;

export type Case = readonly [name: string, run: Run];

const flow = (version: Version): Run => ({
  text: forVersion(FLOW, version),
  version,
  contract: 'Flow',
  call: 'function run(uint256, int256, address, bool, bytes32)',
  values: [5, -3, SENDER, true, WORD],
});

/** Runs whose contracts emit their variables. */
const casesOf = (version: Version): Case[] => {
  const frames = { text: forVersion(FRAMES, version), version, contract: 'Frames' };
  return [
    ['control flow', flow(version)],
    [
      'reference types',
      {
        text: forVersion(REFERENCES, version),
        version,
        contract: 'References',
        call: 'function run(uint256[], string, bytes, uint16[3])',
        values: [[3, 4, 5], 'a few words', `0x${'ab'.repeat(40)}`, [7, 8, 9]],
      },
    ],
    [
      'calls of other contracts',
      {
        ...frames,
        call: 'function run(uint256, address)',
        values: [6, OTHER],
        others: { [OTHER]: 'Other' },
      },
    ],
    ['constructors', { ...frames, creation: { types: 'uint256, string', values: [4, 'name'] } }],
    ['a fallback function', { ...frames, input: Buffer.from('11223344', 'hex'), value: 5n }],
  ];
};

const modern: Case = [
  'try, types of values, call data structs',
  {
    text: forVersion(MODERN, '0.8.30'),
    contract: 'Modern',
    call: 'function run(address, (uint8, uint16[], (bool, bytes5), string), (bool, bytes5)[])',
    values: [
      OTHER,
      [1, [10, 11], [true, '0x0102030405'], 'deep'],
      [
        [false, '0x0000000000'],
        [true, '0x0504030201'],
      ],
    ],
    others: { [OTHER]: 'Target' },
  },
];

/** All runs for a version of Solidity. */
export const localsCases = (version: Version): Case[] =>
  version === '0.8.30' ? [...casesOf(version), modern] : casesOf(version);
