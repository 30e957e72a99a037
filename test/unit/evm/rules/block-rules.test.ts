import assert from 'node:assert/strict';
import { HARDFORKS } from '../../../../server/api/config';
import type { RpcBlockHeader } from '../../../../server/evm/forms/types';
import { blockRules, requireExecutable } from '../../../../server/evm/rules/block-rules';
import { readNodeSchedule } from '../../../../server/evm/rules/node-schedule';
import { mined, word } from '../../../support/analysis';
import { ethConfig } from '../../../support/eth-config';

const { block } = mined();
/** Fields of headers since Shanghai. */
const SHANGHAI = { baseFeePerGas: '0x1', withdrawalsRoot: `0x${'1'.padStart(64, '0')}` };

const header = (number: number, timestamp: number, fields: object = {}): RpcBlockHeader => ({
  ...block,
  number: `0x${number.toString(16)}`,
  timestamp: `0x${timestamp.toString(16)}`,
  ...fields,
});
const at = (chainId: number, number: number, timestamp: number, fields: object = {}) =>
  blockRules({ key: 'chain', chainId }, header(number, timestamp, fields));
/** Noon of 2027-01-15. */
const LATER = 1_800_014_400;
const P256 = '0x0000000000000000000000000000000000000100';

describe('the rules of a block', () => {
  it('follow Ethereum’s blocks and times', () => {
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
      const rules = at(1, number, timestamp);
      assert.equal(rules.hardfork, hardfork, String(number));
      assert.deepEqual(rules.warnings, [], String(number));
    }
  });

  it('follow the tables of other chains', () => {
    const cases: [chainId: number, number: number, timestamp: number, string][] = [
      [10, 1, 1_640_000_000, 'berlin'],
      [8_453, 1, 1_710_374_401, 'cancun'],
      [8_453, 1, 1_779_991_199, 'prague'],
      [8_453, 1, 1_779_991_200, 'osaka'],
      [84_532, 1, 1_744_905_600, 'prague'],
      [84_532, 1, 1_776_708_000, 'osaka'],
      [10, 1, 1_783_526_400, 'prague'],
      [10, 1, 1_783_526_401, 'osaka'],
      [130, 1, 1_783_526_401, 'osaka'],
      [11_155_420, 1, 1_781_712_001, 'osaka'],
      [7_777_777, 1, 1_710_374_400, 'shanghai'],
      [57_073, 1, 1_746_806_400, 'cancun'],
      [1_868, 1, 1_746_806_401, 'prague'],
      [11_155_111, 1, 1_640_000_000, 'london'],
      [560_048, 1, 1_742_999_831, 'cancun'],
      [560_048, 1, 1_761_677_592, 'osaka'],
      [56, 1e8, 1_777_343_400, 'osaka'],
      [100, 1e8, 1_776_168_379, 'prague'],
      [100, 1e8, 1_776_168_380, 'osaka'],
      [42_161, 1, 1_767_891_600, 'osaka'],
      [137, 83_756_499, 1_771_000_000, 'prague'],
      [137, 83_756_500, 1_771_000_000, 'osaka'],
      [43_114, 1e8, 1_763_568_000, 'cancun'],
      [42_220, 31_056_500, 1_742_957_258, 'cancun'],
      [480, 1, 1_764_072_000, 'prague'],
    ];
    for (const [chainId, number, timestamp, hardfork] of cases) {
      assert.equal(at(chainId, number, timestamp).hardfork, hardfork, `${chainId} ${timestamp}`);
    }
  });

  it('include P256VERIFY where chains had it before Osaka', () => {
    const cases: [chainId: number, number: number, timestamp: number, boolean][] = [
      [10, 1, 1_720_627_200, false],
      [10, 1, 1_720_627_201, true],
      [10, 1, 1_783_526_401, false], // a part of Osaka
      [137, 54_876_000, 1_710_000_000, true],
      [43_114, 1e8, 1_763_567_999, false],
      [43_114, 1e8, 1_763_568_000, true],
      [56, 4e7, 1_718_863_500, true],
      [1, 2e7, 1_750_000_000, false],
    ];
    for (const [chainId, number, timestamp, has] of cases) {
      const { extraPrecompiles } = at(chainId, number, timestamp);
      assert.deepEqual(extraPrecompiles, has ? [P256] : [], `${chainId} ${timestamp}`);
    }
  });

  it('say since when a chain is unchecked', () => {
    const rules = at(1, 30_000_000, LATER);
    assert.equal(rules.hardfork, 'osaka');
    assert.deepEqual(rules.warnings, [
      'the rules of chain chain are unchecked since 2026-11-29: osaka is assumed for block 30000000 of 2027-01-15',
    ]);
    assert.deepEqual(at(560_048, 1, Date.parse('2025-12-31T23:59:59Z') / 1000).warnings, []);
    assert.equal(at(560_048, 1, Date.parse('2026-01-01') / 1000).warnings.length, 1);
  });

  it('say what Polygon changed and the engine does not execute', () => {
    const of = (number: number) => at(137, number, 1_779_400_000).warnings.join();
    assert.equal(of(87_218_599), '');
    assert.match(of(87_218_600), /the gas of Osaka instead of that of Chicago \(PIP-88\)$/);
    assert.match(of(89_531_000), /Chicago \(PIP-88\); whether the hardfork Valencia changes/);
  });

  it('are a guess with a warning for an unknown chain', () => {
    const rules = at(4_242, 1, 1);
    assert.equal(rules.hardfork, 'osaka');
    assert.equal(rules.isGuess, true);
    assert.deepEqual(rules.warnings, [
      'the rules of chain chain (id 4242) are not known: osaka is assumed; set "hardfork" in its configuration for another',
    ]);
  });

  it('are the configured ones, at least those that the header proves', () => {
    const pinned = { key: 'mine', chainId: 1, hardfork: 'byzantium' } as const;
    const plain = blockRules(pinned, header(2e7, 2e9));
    assert.equal(plain.hardfork, 'byzantium');
    assert.deepEqual(plain.warnings, []);
    const proved = blockRules(pinned, header(5, 2e9, SHANGHAI));
    assert.equal(proved.hardfork, 'shanghai');
    assert.deepEqual(proved.warnings, [
      'the header of block 5 of mine proves shanghai instead of byzantium',
    ]);
  });

  it('are at least those that the fields of the header prove', () => {
    const proved = (fields: object) => at(1, 1, 1, fields).hardfork;
    assert.equal(proved({ baseFeePerGas: '0x1' }), 'london');
    assert.equal(proved(SHANGHAI), 'shanghai');
    assert.equal(proved({ ...SHANGHAI, blobGasUsed: '0x0' }), 'cancun');
    assert.equal(proved({ ...SHANGHAI, excessBlobGas: '0x0' }), 'cancun');
    const cancun = { ...SHANGHAI, excessBlobGas: '0x0' };
    assert.equal(proved({ ...cancun, requestsHash: word(1) }), 'prague');
    assert.equal(proved({ ...cancun, requestsHash: null }), 'cancun');
    // As anvil's blocks under older rules.
    assert.equal(proved({ blobGasUsed: '0x0', excessBlobGas: '0x0' }), 'frontier');
    assert.equal(proved({ requestsHash: null }), 'frontier');
  });

  it('are refused for a header of Amsterdam', () => {
    const fields = { blockAccessListHash: word(1), slotNumber: '0x7' };
    for (const chainId of [1, 4_242]) {
      const rules = at(chainId, 9, LATER, fields);
      assert.throws(() => requireExecutable(rules), {
        kind: 'rulesUnsupported',
        message:
          'block 9 of chain follows the rules of Amsterdam, which no engine of this version executes: its header has blockAccessListHash and slotNumber',
      });
    }
    assert.equal(requireExecutable(at(1, 9, 1_764_798_551)).hardfork, 'osaka');
    assert.deepEqual(at(11_155_111, 9, 1_791_294_816).warnings, [
      'the activation table says Amsterdam for block 9 of chain, and the header lacks blockAccessListHash: osaka is assumed',
    ]);
  });

  it('are refused for fields of a header that are not known, and not for those of known chains', () => {
    const fields = { inclusionListRoot: word(1), other: null };
    const what =
      'the header of block 7 of chain has fields that this version does not know (inclusionListRoot)';
    const rules = at(1, 7, 1_764_798_551, fields);
    assert.throws(() => requireExecutable(rules), {
      kind: 'rulesUnsupported',
      message: `${what}: name the hardfork in "rules" of a fork or simulation, or in "hardfork" of the chain's configuration; accepted: ${HARDFORKS.join(', ')}`,
    });
    const known = { sendRoot: word(1), blockExtraData: '0x', milliTimestamp: '0x1', size: '0x1' };
    assert.deepEqual(at(1, 7, 1_764_798_551, known).warnings, []);
    const { refusal } = at(1, 7, 1_764_798_551, { ['<b>\n'.repeat(50)]: 1 });
    assert.match(refusal ?? '', /does not know \(an unreadable name\)/);
  });

  it('are those that the configuration or the request names, and say what differs', () => {
    const chain = { key: 'chain', chainId: 1 };
    const of = (changes: object, fields: object = {}) =>
      requireExecutable(
        blockRules(
          { ...chain, ...changes },
          header(7, 1_764_798_551, { inclusionListRoot: word(1), ...fields }),
        ),
      );
    const unknown =
      'the header of block 7 of chain has fields that this version does not know (inclusionListRoot)';
    assert.deepEqual(of({ hardfork: 'prague' }).warnings, [`${unknown}: prague is assumed`]);
    assert.deepEqual(of({ named: 'osaka' }).warnings, [
      'the rules of block 7 of chain are not known: osaka is executed, as requested',
    ]);
    const older = of({ named: 'cancun' });
    assert.equal(older.hardfork, 'cancun');
    assert.deepEqual(older.warnings, [
      'block 7 of chain follows the rules of osaka: cancun is executed, as requested',
    ]);
    const amsterdam = of(
      { named: 'osaka' },
      { inclusionListRoot: null, blockAccessListHash: word(1), slotNumber: '0x7' },
    );
    assert.deepEqual([amsterdam.hardfork, amsterdam.later], ['osaka', undefined]);
    const [first, second = ''] = amsterdam.warnings;
    assert.equal(
      first,
      'block 7 of chain follows the rules of amsterdam: osaka is executed, as requested',
    );
    assert.match(second, /^without Amsterdam, gas is that of older rules .* SLOTNUM, DUPN/);
  });

  it('are those of the version of ArbOS that the header states', () => {
    const arbos = (version: number) => ({
      mixHash: `0x${'0'.repeat(32)}${version.toString(16).padStart(16, '0')}${'0'.repeat(16)}`,
    });
    const rules = (chainId: number, version: number, fields: object = {}) =>
      at(chainId, 1, LATER, { ...arbos(version), ...fields });
    assert.deepEqual(
      [1, 11, 20, 32, 40, 51, 61].map((version) => rules(42_161, version).hardfork),
      ['london', 'shanghai', 'cancun', 'cancun', 'prague', 'osaka', 'osaka'],
    );
    assert.deepEqual(rules(42_161, 32).extraPrecompiles, [P256]);
    assert.deepEqual(rules(42_161, 20).extraPrecompiles, []);
    assert.deepEqual(rules(42_161, 61).warnings, []);
    assert.match(rules(42_161, 70).warnings[0] ?? '', /^ArbOS 70 is newer than 61/);
    const orbit = rules(660_279, 40, { sendRoot: word(1), l1BlockNumber: '0x1' });
    assert.equal(orbit.hardfork, 'prague');
    assert.deepEqual(orbit.warnings, []);
    assert.equal(rules(1, 40).hardfork, 'osaka'); // another chain's mixHash is random
  });
});

describe('the rules of a block by the schedule of a node', () => {
  const scheduled = (chainId: number, timestamp: number, config: object) =>
    blockRules({ key: 'chain', chainId }, header(5, timestamp), readNodeSchedule(config, chainId));

  it('are those of the fork that is active', () => {
    const config = {
      current: ethConfig({ chainId: 4_242, activation: 100, hardfork: 'cancun' }),
      next: ethConfig({ chainId: 4_242, activation: 200, hardfork: 'prague' }),
      last: ethConfig({ chainId: 4_242, activation: 300, hardfork: 'osaka', fraction: 8_346_193 }),
    };
    const rules = (timestamp: number) => scheduled(4_242, timestamp, config);
    assert.deepEqual(
      [100, 199, 200, 300].map((time) => rules(time).hardfork),
      ['cancun', 'cancun', 'prague', 'osaka'],
    );
    assert.deepEqual(rules(300).warnings, []);
    assert.equal(rules(300).blobFraction, 8_346_193n);
    assert.equal(rules(300).isGuess, false);
    // Before the current fork, the schedule shows nothing.
    assert.match(rules(99).warnings[0] ?? '', /are not known: osaka is assumed/);
  });

  it('replace an unchecked table', () => {
    const current = ethConfig({ chainId: 1, activation: 1_767_747_671, hardfork: 'osaka' });
    const { hardfork, warnings } = scheduled(1, LATER, { current, next: null, last: null });
    assert.equal(hardfork, 'osaka');
    assert.deepEqual(warnings, []);
  });

  it('report a contradiction with the table', () => {
    const current = ethConfig({ chainId: 1, activation: 1_746_612_311, hardfork: 'prague' });
    const last = ethConfig({ chainId: 1, activation: 1_900_000_000, hardfork: 'osaka' });
    const config = { current, next: last, last };
    const rules = scheduled(1, 1_770_000_000, config);
    assert.equal(rules.hardfork, 'prague');
    assert.deepEqual(rules.warnings, [
      'eth_config of chain says prague since 2025-05-07, and the activation table says osaka for block 5: prague is used',
    ]);
    const blobs = ethConfig({
      chainId: 1,
      activation: 1_764_798_551,
      hardfork: 'osaka',
      fraction: 7,
    });
    assert.deepEqual(scheduled(1, 1_764_800_000, { current: blobs }).warnings, [
      'eth_config of chain says a blob base fee update fraction of 7 since 2025-12-03, and the activation table says 5007716 for block 5: 7 is used',
    ]);
  });

  it('name contracts and hardforks that are not known', () => {
    const unknown = ethConfig({
      chainId: 1,
      activation: 1_799_999_999,
      hardfork: 'osaka',
      systemContracts: { BUILDER_DEPOSIT_ADDRESS: P256 },
    });
    assert.deepEqual(scheduled(1, LATER, { current: unknown }).warnings, [
      'eth_config of chain lists contracts that this version does not know (BUILDER_DEPOSIT_ADDRESS): osaka is assumed for block 5, under rules of 2027-01-15',
      'eth_config of chain lists a hardfork of 2027-01-15, and the rules of the chain are unchecked since 2026-11-29: osaka is assumed for block 5',
    ]);
  });

  it('are not taken from malformed answers, other chains and local nodes', () => {
    const fork = ethConfig({ chainId: 1, activation: 0, hardfork: 'prague' });
    for (const answer of [
      null,
      'x',
      {},
      { current: null },
      { current: { ...fork, activationTime: -1 } },
      { current: { ...fork, chainId: '0x2' } },
      {
        current: {
          ...fork,
          precompiles: Object.fromEntries(Array.from({ length: 1e3 }, (_, i) => [`P${i}`, P256])),
        },
      },
      { current: { ...fork, blobSchedule: { baseFeeUpdateFraction: 0, max: 1, target: 1 } } },
    ]) {
      assert.equal(readNodeSchedule(answer, 1), undefined, JSON.stringify(answer).slice(0, 80));
    }
    const local = { current: { ...fork, forkId: '0x00000000' } };
    assert.equal(scheduled(1, 1_770_000_000, local).hardfork, 'osaka');
  });
});
