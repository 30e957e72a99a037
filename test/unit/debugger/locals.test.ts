import assert from 'node:assert/strict';
import { debug, type Run } from './debugged';
import { FLOW, forVersion, FRAMES, REFERENCES } from './locals-contracts';
import { MODERN } from './modern-contract';
import { SENDER } from './record';
import { VERSIONS, type Settings, type Version } from './solidity';
import { witnesses, type Witness } from './witness';

const OTHER = `0x${'d2'.repeat(20)}`;
const WORD = `0x${'e5'.repeat(32)}`;

type Case = readonly [name: string, run: Run];

const flow = (version: Version): Run => ({
  text: forVersion(FLOW, version),
  version,
  contract: 'Flow',
  call: 'function run(uint256, int256, address, bool, bytes32)',
  values: [5, -3, SENDER, true, WORD],
});

const cases = (version: Version): Case[] => {
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

const witnessesOf = (run: Run): Witness[] => {
  // Nothing was written before.
  const debugged = debug({ ...run, otherStorage: () => 0n });
  assert.equal(debugged.recording.end?.kind, 'returned');
  return witnesses(run.text, debugged);
};

/** Reasons that are none of the stack: calls within an event's arguments, and slots that the transaction did not read. */
const isCall = ({ unavailable = '' }: Witness): boolean =>
  /is (a function|internal)/.test(unavailable);

for (const version of VERSIONS) {
  describe(`local variables of Solidity ${version}, without the optimizer`, function () {
    this.timeout(60_000);
    for (const [name, run] of version === '0.8.30' ? [...cases(version), modern] : cases(version)) {
      it(`are what the contract emits: ${name}`, () => {
        const all = witnessesOf(run);
        assert.ok(all.length > 0);
        for (const witness of all.filter((one) => !isCall(one))) {
          const { line, expression, emitted, shown, unavailable } = witness;
          assert.equal(shown, emitted, `${expression} in ${line} ${unavailable ?? ''}`);
        }
      });
    }
  });
}

for (const [how, version, settings] of [
  ['with the optimizer', '0.8.30', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.6.12', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.5.17', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.4.26', { optimizer: { enabled: true } }],
  ['via IR', '0.8.30', { viaIR: true }],
  ['via IR, with the optimizer', '0.8.30', { viaIR: true, optimizer: { enabled: true } }],
] as [string, Version, Settings][]) {
  describe(`local variables of Solidity ${version}, compiled ${how}`, function () {
    this.timeout(60_000);
    for (const [name, run] of version === '0.8.30' ? [...cases(version), modern] : cases(version)) {
      it(`are what the contract emits, or unavailable: ${name}`, () => {
        const known = witnessesOf({ ...run, settings }).filter(({ shown }) => shown !== undefined);
        for (const { line, expression, emitted, shown } of known) {
          assert.equal(shown, emitted, `${expression} in ${line}`);
        }
      });
    }
  });
}
