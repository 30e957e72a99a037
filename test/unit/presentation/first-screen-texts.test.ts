import assert from 'node:assert/strict';
import type { SummaryClause } from '../../../server/api/summary';
import type { Party } from '../../../server/api/summary-parties';
import { clauseSegments } from '../../../server/presentation/clause-segments';
import { guessTexts } from '../../../server/presentation/guesses';
import { partySegments } from '../../../server/presentation/party-segments';
import type { Segment } from '../../../server/presentation/segment';

const ALICE = `0x${'a1'.repeat(20)}`;
const TILL = `0x${'71'.repeat(20)}`;
const LABELS = new Map([
  [ALICE, 'alice'],
  [TILL, 'Till'],
]);
const naming = { names: (at: string) => LABELS.get(at), nativeSymbol: 'ETH' };
const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join('');

const CALLED: SummaryClause = {
  kind: 'called',
  actor: ALICE,
  gave: [],
  got: [],
  counterparty: TILL,
  method: 'pay',
  nodeIds: [0],
};
const called = (facts: Partial<SummaryClause>, isDone = true): string =>
  textOf(clauseSegments({ ...CALLED, ...facts }, isDone, naming));
const argument = (value: string, type = 'uint256') => ({ name: 'x', type, value });
const ether = {
  asset: `0x${'ee'.repeat(20)}`,
  standard: 'native',
  rawAmount: '5',
  amount: '5',
} as const;

describe('a call of a known contract in words', () => {
  it('has its arguments, and the variables that it changed', () => {
    const changes = [
      { name: 'total', type: 'uint256', before: '0', after: '600' },
      { name: `paid[${ALICE}].sum`, type: 'uint256', before: '0', after: '1000' },
    ];
    assert.equal(
      called({ arguments: [argument('600'), argument(ALICE, 'address')], changes, moreChanges: 2 }),
      'alice called Till.pay(600, alice): total 0 → 600, paid[alice].sum 0 → 1,000 and 2 more',
    );
    assert.equal(called({ arguments: [], gave: [ether] }), 'alice called Till.pay() with 5 ETH');
    assert.equal(
      called({ arguments: [argument('1')], moreArguments: 3 }),
      'alice called Till.pay(1, …)',
    );
  });

  it('that failed has the arguments alone', () => {
    assert.equal(
      called({ arguments: [argument('7')] }, false),
      'alice tried to call Till.pay(7), and failed',
    );
    assert.equal(
      called({ arguments: [argument('7')], gave: [ether] }, false),
      'alice tried to call Till.pay(7) with 5 ETH, and failed',
    );
  });

  it('of an unknown one has the method alone', () => {
    assert.equal(called({}), 'alice called pay on Till');
  });
});

describe('a gain in words', () => {
  const gained = (facts: Partial<SummaryClause>): string =>
    called({ kind: 'gained', got: [ether], ...facts });
  const means = (...counts: [kind: 'flashLoan' | 'swap' | 'reentrancy', count: number][]) =>
    counts.map(([kind, count]) => ({ kind, count }));

  it('has what it came by, and who holds it', () => {
    assert.equal(
      gained({ means: means(['flashLoan', 1], ['swap', 2]) }),
      'alice gained 5 ETH by a flash loan and two swaps',
    );
    assert.equal(
      gained({ recipient: TILL, means: means(['flashLoan', 2], ['reentrancy', 1], ['swap', 1]) }),
      'alice gained 5 ETH, held by Till, by two flash loans, reentrancy and a swap',
    );
    assert.equal(
      gained({ means: means(['flashLoan', 3], ['reentrancy', 2], ['swap', 4000]) }),
      'alice gained 5 ETH by 3 flash loans, reentrancy of 2 contracts and 4,000 swaps',
    );
    assert.equal(gained({}), 'alice gained 5 ETH');
    assert.equal(gained({ recipient: TILL }), 'alice gained 5 ETH, held by Till');
  });
});

describe('a party in words', () => {
  const party = (facts: Partial<Party>): string =>
    textOf(partySegments({ account: ALICE, roles: [], changes: [], ...facts }, naming));

  it('has its roles and its changes', () => {
    const changes = [
      { ...ether, sign: true },
      { ...ether, sign: false },
    ];
    assert.equal(
      party({ roles: ['sender', 'largestGain'], changes, moreChanges: 3 }),
      'alice (sender, largest gain): +5 ETH, −5 ETH and 3 more',
    );
    assert.equal(
      party({ roles: ['receiver', 'largestLoss'], isOwn: true }),
      'alice (receiver, largest loss, created by the sender): no change',
    );
  });

  it('has the value of a change, and what events claim instead of it', () => {
    const [five, none] = ['5', '0'].map((amount) => ({ rawAmount: amount, amount, sign: true }));
    const changes = [
      { ...ether, sign: true, value: '9000.004' },
      { ...ether, sign: false, claimed: five!, value: '0.001' },
      { ...ether, sign: true, claimed: none! },
      { ...ether, sign: true, isClaimed: true as const },
    ];
    assert.equal(
      party({ roles: ['sender'], changes }),
      'alice (sender): +5 ETH ($9,000.00), −5 ETH (<$0.01, events claim +5), +5 ETH (unexplained), +5 ETH claimed',
    );
  });

  it('that gained most of one asset and lost most of another has neither role', () => {
    assert.equal(party({ roles: ['largestGain', 'largestLoss'] }), 'alice: no change');
  });
});

describe('guesses in words', () => {
  it('are counted by what is guessed', () => {
    assert.deepEqual(guessTexts({ names: 0, argumentTypes: 0 }), []);
    assert.deepEqual(guessTexts({ names: 1, argumentTypes: 1 }), [
      '1 call: name guessed by its selector',
      '1 call: argument types guessed',
    ]);
    assert.deepEqual(guessTexts({ names: 2, argumentTypes: 3000 }), [
      '2 calls: names guessed by their selectors',
      '3,000 calls: argument types guessed',
    ]);
  });
});
