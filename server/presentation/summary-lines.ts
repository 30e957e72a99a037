import * as l10n from '@vscode/l10n';
import type { Summary, SummaryClause } from '../api/summary';
import { clauseSegments } from './clause-segments';
import { contradictionSegments } from './contradiction-segments';
import { causeSegments, failedSegments } from './failure-segments';
import { findingSegments } from './finding-segments';
import { partySegments } from './party-segments';
import type { Naming } from './quantity-segments';
import { quiet, words, type Segment } from './segment';
import { grouped } from './text';

/** A line of what is said about a transaction. */
export interface SummaryLine {
  readonly kind:
    'sentence' | 'party' | 'contradiction' | 'failure' | 'cause' | 'swallowed' | 'finding';
  readonly segments: readonly Segment[];
}

/** The sentence, who gained and lost, what the state contradicts, the reasons of a failure and the findings. Numbers after `#` are nodes of the call tree. */
export function summaryLines(summary: Summary, isDone: boolean, naming: Naming): SummaryLine[] {
  const { failure, findings, moreFindings, swallowed, swallowedCount } = summary;
  const { contradictions = [], moreContradictions = 0 } = summary;
  const sentence = sentenceSegments(summary, isDone, naming);
  const chain = failure?.chain ?? [];
  const line = (kind: SummaryLine['kind'], segments: readonly Segment[]): SummaryLine => ({
    kind,
    segments,
  });
  return [
    ...(sentence.length === 0 ? [] : [line('sentence', sentence)]),
    ...(summary.parties ?? []).map((one) => line('party', partySegments(one, naming))),
    ...contradictions.map((one) =>
      line('contradiction', numbered(contradictionSegments(one, naming), one.nodeIds)),
    ),
    ...more('contradiction', moreContradictions),
    ...chain.map((call, index) =>
      line(
        'failure',
        numbered(failedSegments(call, index === 0 ? 'first' : 'next', naming), [call.nodeId]),
      ),
    ),
    ...(failure?.causes ?? []).map((cause) => {
      const { proof, proofNodeId } = cause;
      const nodes = proof === 'trace' && proofNodeId !== undefined ? [proofNodeId] : [];
      return line('cause', numbered(causeSegments(cause, naming), nodes));
    }),
    ...swallowed.map((call) =>
      line('swallowed', numbered(failedSegments(call, 'swallowed', naming), [call.nodeId])),
    ),
    ...more('swallowed', swallowedCount - swallowed.length),
    ...findings.map((one) => {
      const around = (one.transactions ?? []).flatMap(({ hash, position }) => [
        words(`, ${l10n.t('transaction {0} of the block', position)} ${hash}`),
      ]);
      return line('finding', numbered([...findingSegments(one, naming), ...around], one.nodeIds));
    }),
    ...more('finding', moreFindings),
  ];
}

const numbered = (segments: readonly Segment[], nodeIds: readonly number[]): Segment[] =>
  nodeIds.length === 0
    ? [...segments]
    : [...segments, words(` (${nodeIds.map((id) => `#${id}`).join(' ')})`)];

function more(kind: 'contradiction' | 'swallowed' | 'finding', count: number): SummaryLine[] {
  if (count <= 0) return [];
  const number = grouped(String(count));
  const text = (): string => {
    switch (kind) {
      case 'contradiction':
        return l10n.t('{0} more contradictions between events and the state', number);
      case 'swallowed':
        return l10n.t('{0} more calls failed while their callers went on', number);
      case 'finding':
        return l10n.t('{0} more findings', number);
    }
  };
  return [{ kind, segments: [words(text())] }];
}

/** One sentence: what the transaction did, or what it tried. Empty if there is nothing to report. */
export function sentenceSegments(
  { clauses, moreClauses }: Pick<Summary, 'clauses' | 'moreClauses'>,
  isDone: boolean,
  naming: Naming,
): Segment[] {
  const parts: Segment[][] = [];
  let before: SummaryClause | undefined;
  for (const clause of clauses) {
    const segments = clauseSegments(clause, isDone, naming);
    parts.push(clause.actor === before?.actor ? withoutSubject(segments) : segments);
    before = clause;
  }
  if (moreClauses > 0) parts.push([words(l10n.t('{0} more', grouped(String(moreClauses))))]);
  if (parts.length === 0) return [];
  return [
    ...parts.flatMap((part, index) => [...between(index, parts.length), ...part]),
    quiet('.'),
  ];
}

function between(index: number, count: number): Segment[] {
  if (index === 0) return [];
  return [words(index < count - 1 ? ', ' : ` ${l10n.t('and')} `)];
}

/** The words after the name at the beginning. In a language that begins otherwise, the whole sentence. */
function withoutSubject(segments: Segment[]): Segment[] {
  const [subject, space, ...rest] = segments;
  return subject?.kind === 'address' && space?.text === ' ' ? rest : segments;
}

/** Nodes of the call tree to which the lines of a summary refer by number. */
export function referredNodes(summary: Summary): ReadonlySet<number> {
  const { failure, findings, swallowed, contradictions = [] } = summary;
  return new Set([
    ...findings.flatMap(({ nodeIds }) => nodeIds),
    ...contradictions.flatMap(({ nodeIds }) => nodeIds),
    ...(failure?.chain ?? []).map(({ nodeId }) => nodeId),
    ...swallowed.map(({ nodeId }) => nodeId),
    ...(failure?.causes ?? []).flatMap(({ proof, proofNodeId = 0 }) =>
      proof === 'trace' ? [proofNodeId] : [],
    ),
  ]);
}
