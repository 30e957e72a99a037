import assert from 'node:assert/strict';
import pico from 'picocolors';
import type { CallFrame } from '../../../server/analysis/call-frame';
import { ContractInterface } from '../../../server/analysis/contract-interface';
import type { TransactionTrace } from '../../../server/analysis/ports';
import type { Hex } from '../../../server/api/primitives';
import type { Regressed } from '../../../server/api/regress';
import {
  regressionReport,
  regressionSummary,
  resultLine,
  type RegressedSet,
} from '../../../server/client/regression-report';
import { toWord } from '../../../server/evm/forms/quantity';
import { placedCode } from '../../../server/history/regress/placed-code';
import { compared } from '../../../server/history/regress/regress';

const [A, B]: Hex[] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const KNOWN = ContractInterface.fromAbi(['function pay()', 'error Closed(uint256 until)']);
const PAY = '0x1b9265b8';

const frame = (changes: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from: A!,
  to: B!,
  value: 0n,
  gasUsed: 0,
  input: PAY,
  output: '0x',
  items: [],
  ...changes,
});
const trace = (root: CallFrame, gas = 50_000, slots: Record<Hex, Hex> = {}): TransactionTrace => ({
  root,
  method: 'replay',
  reportedGas: gas,
  changes: {
    pre: { [B!]: { storage: { [toWord(1)]: toWord(5) } } },
    post: { [B!]: { storage: slots } },
  },
});
const verdict = (old: TransactionTrace, now: TransactionTrace): string => {
  const { verdict: found, cause } = compared(old, now, KNOWN);
  return cause === '' ? found : `${found}: ${cause}`;
};

describe('the comparison of a transaction with old and with new code', () => {
  const log = { address: B!, topics: [toWord(7)], data: '0x01' as Hex };

  it('tells gas alone from other effects', () => {
    const plain = trace(frame({ items: [log] }));
    assert.equal(verdict(plain, plain), 'same');
    assert.equal(verdict(plain, trace(frame({ items: [log] }), 50_700)), 'otherGas: +700 gas');
    assert.equal(verdict(plain, trace(frame())), 'otherEffects: 0 events instead of 1');
    const other = { ...log, data: '0x02' as Hex };
    assert.equal(verdict(plain, trace(frame({ items: [other] }))), 'otherEffects: event 0 differs');
    assert.equal(
      verdict(plain, trace(frame({ items: [log] }), 50_000, { [toWord(1)]: toWord(6) })),
      `otherEffects: other state: ${B!} ${toWord(1)}`,
    );
    assert.equal(
      verdict(plain, trace(frame({ items: [log], value: 3n }))),
      `otherEffects: other payments: ${A!} and 1 more`,
    );
  });

  it('names the innermost call that fails, and its reason', () => {
    const closed = `0x${KNOWN_ERROR}${'0'.repeat(64)}` as Hex;
    const failed = trace(frame({ error: 'execution reverted', output: closed }));
    const fine = trace(frame());
    assert.equal(verdict(fine, failed), `nowFails: pay of ${B!}: Closed(uint256)`);
    assert.equal(verdict(failed, fine), `nowSucceeds: it failed: pay of ${B!}: Closed(uint256)`);
    const otherwise = trace(frame({ error: 'out of gas' }));
    assert.equal(
      verdict(failed, otherwise),
      `otherEffects: it fails for another reason: pay of ${B!}: out of gas`,
    );
    const poor = frame({ input: '0x', error: 'insufficient balance for transfer' });
    const unpaid = trace(frame({ error: 'execution reverted', items: [poor] }));
    assert.match(verdict(fine, unpaid), new RegExp(`^nowFails: payment to ${B!}: insufficient`));
    const swallowed = trace(frame({ items: [frame({ error: 'out of gas' })] }));
    assert.equal(verdict(fine, swallowed), 'same');
  });
});

const KNOWN_ERROR = KNOWN_SELECTOR();
function KNOWN_SELECTOR(): string {
  const [selector] = ['Closed(uint256)'].map(
    (text) => ContractInterface.fromAbi([`function ${text}`]).allFunctions[0]!.selector,
  );
  return selector!.slice(2);
}

describe('new code in the place of old', () => {
  const code = (immutables: { name: string; ranges: { start: number; length: number }[] }[]) => ({
    name: 'Vault',
    code: `0x60${'00'.repeat(32)}61${'00'.repeat(20)}` as Hex,
    immutables,
    abi: [],
    namespaces: [],
  });
  const owner = { name: 'owner', type: 'address', value: toWord(BigInt(A!)) };

  it('has the values of the immutables, by name, or of the only one', () => {
    const ranges = [
      { start: 1, length: 32 },
      { start: 34, length: 20 },
    ];
    const placed = `0x60${toWord(BigInt(A!)).slice(2)}61${A!.slice(2)}`;
    assert.equal(placedCode(code([{ name: 'owner', ranges }]), [owner]), placed);
    assert.equal(placedCode(code([{ name: '', ranges }]), [owner]), placed);
  });

  it('is refused where an immutable has no value', () => {
    const ranges = [{ start: 1, length: 32 }];
    assert.throws(
      () => placedCode(code([{ name: 'cap', ranges }]), [owner]),
      /newCode.immutables has cap, whose value the deployed code does not have/,
    );
  });
});

describe('the report of executed transactions', () => {
  const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
  const result = (digit: string, found: Regressed['verdict'], cause = ''): Regressed => ({
    transaction: hash(digit),
    blockNumber: 1,
    verdict: found,
    cause,
    old: { status: true, gasUsed: 10, failure: '' },
    new: { status: true, gasUsed: 12, failure: '' },
  });
  const set = (
    results: Regressed[],
    attacks: string[] = [],
    layout: RegressedSet['layout'] = [],
  ) => ({
    chain: 'eth',
    address: A!,
    replaced: B!,
    newName: 'Vault',
    by: 'the index of the node',
    layout,
    results,
    attacks: new Set(attacks),
  });

  it('passes where attacks fail and others do what they did', () => {
    const found = set(
      [
        result('1', 'nowFails', 'pay: Closed'),
        result('2', 'otherGas', '+2 gas'),
        result('3', 'same'),
      ],
      [hash('1')],
    );
    const { isPassed, lines, counts } = regressionSummary(found);
    assert.equal(isPassed, true);
    assert.deepEqual(counts, { otherGas: 1, same: 1 });
    assert.deepEqual(lines, [
      `The attack ${hash('1')} stops: pay: Closed`,
      '1 of 2 use other gas alone.',
      '1 of 2 are the same.',
    ]);
    const report = regressionReport(found);
    assert.match(report, /^# Vault for 0xaaaa/);
    assert.ok(report.includes('## 1 now fail\n\npay: Closed:\n\n- `0x1111'));
    assert.ok(report.includes('(attack) (gas 10 → 12)'));
  });

  it('does not pass where an attack goes on, another fails, or the layout breaks', () => {
    const notStopped = regressionSummary(set([result('1', 'same')], [hash('1')]));
    assert.deepEqual([notStopped.isPassed, notStopped.notStopped], [false, [hash('1')]]);
    assert.equal(regressionSummary(set([result('1', 'nowFails', 'x')])).isPassed, false);
    assert.equal(regressionSummary(set([result('1', 'unknown', 'x')])).isPassed, false);
    const broken = [{ level: 'error', subject: 'layout', text: 'a moved', value: '5' }] as const;
    const withLayout = set([result('1', 'same')], [], [...broken]);
    assert.equal(regressionSummary(withLayout).isPassed, false);
    assert.ok(regressionReport(withLayout).includes('- error: a moved (now 5)'));
  });

  it('marks attacks in its lines', () => {
    const colors = pico.createColors(false);
    const one = result('1', 'nowFails', 'pay: Closed');
    assert.equal(
      resultLine(one, new Set([hash('1')]), colors),
      `${hash('1')} (attack) nowFails: pay: Closed`,
    );
  });
});
