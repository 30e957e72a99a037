import * as l10n from '@vscode/l10n';
import type { SummaryClause } from '../api/summary';
import type { GainMeans, StateChange } from '../api/summary-parties';
import type { Naming } from './quantity-segments';
import { parameterName, quiet, words, type Names, type Segment } from './segment';
import { grouped, shownText } from './text';
import { addressSegment, valueSegments } from './values';

const NAME_LIMIT = 60;

/** The arguments of a call of a known contract, in brackets: `(600)`. */
export function argumentSegments(
  { arguments: shown = [], moreArguments = 0 }: SummaryClause,
  { names }: Naming,
): Segment[] {
  return [
    quiet('('),
    ...shown.flatMap(({ type, value }, index) => [
      ...(index === 0 ? [] : [quiet(', ')]),
      ...valueSegments(type, value, names),
    ]),
    ...(moreArguments === 0 ? [] : [quiet(', …')]),
    quiet(')'),
  ];
}

/** What a call of a known contract changed: `: total 0 → 600`. Empty for nothing. */
export function changeSegments(
  { changes = [], moreChanges = 0 }: SummaryClause,
  { names }: Naming,
): Segment[] {
  if (changes.length === 0) return [];
  const listed = changes.flatMap((change, index) => [
    quiet(index === 0 ? ': ' : ', '),
    ...variableSegments(change, names),
  ]);
  return moreChanges === 0
    ? listed
    : [...listed, quiet(` ${l10n.t('and {0} more', grouped(String(moreChanges)))}`)];
}

function variableSegments({ name, type, before, after }: StateChange, names: Names): Segment[] {
  return [
    ...nameSegments(name, names),
    words(' '),
    ...valueSegments(type, before, names),
    quiet(' → '),
    ...valueSegments(type, after, names),
  ];
}

/** The name of a variable, in which keys that are addresses have names: `paid[bob]`. */
const nameSegments = (name: string, names: Names): Segment[] =>
  shownText(name, NAME_LIMIT * 2)
    .split(/(0x[0-9a-fA-F]{40})(?![0-9a-fA-F])/)
    .flatMap((piece, index): Segment[] => {
      if (piece === '') return [];
      if (index % 2 === 1) return [addressSegment(piece.toLowerCase(), names)];
      const [parameter] = parameterName(piece);
      return index === 0 && parameter ? [parameter] : [quiet(piece)];
    });

function meansText({ kind, count }: GainMeans): string {
  const number = grouped(String(count));
  switch (kind) {
    case 'flashLoan':
      if (count === 1) return l10n.t('a flash loan');
      return count === 2 ? l10n.t('two flash loans') : l10n.t('{0} flash loans', number);
    case 'swap':
      if (count === 1) return l10n.t('a swap');
      return count === 2 ? l10n.t('two swaps') : l10n.t('{0} swaps', number);
    case 'reentrancy':
      return count === 1 ? l10n.t('reentrancy') : l10n.t('reentrancy of {0} contracts', number);
    default:
      // What only newer services know.
      return shownText(kind satisfies never, NAME_LIMIT);
  }
}

/** What a gain came by: `a flash loan and two swaps`. */
export function meansSegments({ means = [] }: SummaryClause): Segment[] {
  const [last, ...before] = means.map((one) => meansText(one)).reverse();
  if (last === undefined) return [];
  return [
    words(before.length === 0 ? last : `${before.reverse().join(', ')} ${l10n.t('and')} ${last}`),
  ];
}
