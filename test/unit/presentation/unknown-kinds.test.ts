import assert from 'node:assert/strict';
import type { Finding, SummaryCause, SummaryClause } from '../../../server/api/summary';
import type { Party } from '../../../server/api/summary-parties';
import { clauseSegments } from '../../../server/presentation/clause-segments';
import { causeSegments } from '../../../server/presentation/failure-segments';
import { findingSegments } from '../../../server/presentation/finding-segments';
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
/** A word of a newer service. */
const newer = (kind: string): never => kind as never;

describe('what only a newer service knows', () => {
  it('is a finding without words', () => {
    const finding: Finding = { kind: newer('poisoned'), contract: TILL, amounts: [], nodeIds: [3] };
    assert.equal(
      textOf(findingSegments(finding, naming)),
      'Finding “poisoned” about Till, for which this version has no words',
    );
  });

  it('is a clause without words, with its link', () => {
    const clause: SummaryClause = {
      kind: newer('staked'),
      actor: ALICE,
      gave: [],
      got: [],
      nodeIds: [4],
    };
    const segments = clauseSegments(clause, true, naming);
    assert.equal(textOf(segments), 'alice did “staked”, for which this version has no words');
    assert.equal(segments.find(({ text }) => text === 'did “staked”')?.nodeId, 4);
  });

  it('is a condition without words, and an unknown proof', () => {
    const cause: SummaryCause = {
      kind: newer('quorum'),
      nodeId: 1,
      contract: TILL,
      proof: newer('oracle'),
    };
    assert.equal(
      textOf(causeSegments(cause, naming)),
      'Condition “quorum” did not hold, for which this version has no words. Proved: oracle',
    );
  });

  it('is a role, which is shown as it is', () => {
    const party: Party = { account: ALICE, roles: ['sender', newer('liquidator')], changes: [] };
    assert.equal(textOf(partySegments(party, naming)), 'alice (sender, liquidator): no change');
  });
});
