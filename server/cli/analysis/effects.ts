import { netText } from '../../api/net-amount';
import { shownChanges } from '../../api/shown-change';
import type { AccountChange, Analysis } from '../../api/views';
import { alignLists, SAME } from '../../../media/inspector/compare/align-lists';
import { rowAsText } from '../../../media/inspector/copy/row-copies';
import { flowPart, partOfAnalysis } from '../../../media/inspector/protocol/analysis-parts';
import { namesOf } from '../../presentation/segment';
import { assetText } from '../../client/asset-text';

/** Lists of effects, each as lines that depend on the chain and on known ABIs alone, not on names of addresses. */
const EFFECT_LISTS = ['calls', 'events', 'balances', 'state'] as const;
export type EffectList = (typeof EFFECT_LISTS)[number];

/** What a transaction did. A list is missing where it is not known. */
export type Effects = { status: 'succeeded' | 'reverted'; gasUsed: number } & Partial<
  Record<EffectList, string[]>
>;

export interface EffectDifference {
  what: 'status' | 'gas used' | EffectList;
  /** Lines that are expected and were not found. */
  expected: string[];
  /** Lines that were found and are not expected. */
  found: string[];
}

export function effectsOf(analysis: Analysis): Effects {
  const names = namesOf({});
  const rows = flowPart(analysis).rows;
  const calls = rows.filter(({ nodeType }) => nodeType === 0);
  const events = rows.filter(({ nodeType }) => nodeType === 1);
  const balances = partOfAnalysis('balanceChange', analysis);
  const { stateDiff } = analysis;
  return {
    status: analysis.status ? 'succeeded' : 'reverted',
    gasUsed: analysis.transaction.gasUsed,
    calls: calls.map((row) => `${'  '.repeat(row.depth)}${rowAsText(row, names)}`),
    events: events.map((row) => rowAsText(row, names)),
    ...(balances === undefined
      ? {}
      : {
          balances: shownChanges(balances)
            .map((change) => {
              const { account, asset } = change;
              return `${account} ${assetText(asset)} ${asset.address} ${netText(change)}`;
            })
            .sort(),
        }),
    ...(stateDiff === null ? {} : { state: stateDiff.accounts.flatMap(writesOf).sort() }),
  };
}

function writesOf({ address, created, destroyed, nonce, code, storage }: AccountChange): string[] {
  return [
    ...(created ? [`${address} created`] : []),
    ...(destroyed ? [`${address} destroyed`] : []),
    ...(nonce === undefined ? [] : [`${address} nonce ${nonce.before} to ${nonce.after}`]),
    ...(code === undefined ? [] : [`${address} code ${code.before} to ${code.after}`]),
    ...storage.map(({ slot, before, after }) => `${address} slot ${slot} ${before} to ${after}`),
  ];
}

/**
 * Compares what is expected: a list that `expected` lacks is not compared.
 * @param gasTolerance in percent of the expected gas
 */
export function compareEffects(
  expected: Effects,
  found: Effects,
  gasTolerance: number,
): EffectDifference[] {
  const differences: EffectDifference[] = [];
  const add = (what: EffectDifference['what'], left: string[], right: string[]): void => {
    if (left.length + right.length > 0) differences.push({ what, expected: left, found: right });
  };
  if (expected.status !== found.status) add('status', [expected.status], [found.status]);
  for (const list of EFFECT_LISTS) {
    const left = expected[list];
    if (left) add(list, ...unpaired(left, found[list] ?? [UNKNOWN]));
  }
  const allowed = (expected.gasUsed * gasTolerance) / 100;
  if (Math.abs(found.gasUsed - expected.gasUsed) > allowed) {
    add('gas used', [String(expected.gasUsed)], [String(found.gasUsed)]);
  }
  return differences;
}

const UNKNOWN = 'not known: the node does not report it';

/** The lines of each side that the other side lacks, in order. */
function unpaired(left: readonly string[], right: readonly string[]): [string[], string[]] {
  const pairs = alignLists(
    { left: left.length, right: right.length },
    (l, r) => (left[l] === right[r] ? SAME : 0),
    { left: (index) => left[index] ?? '', right: (index) => right[index] ?? '' },
  ).filter(([l, r]) => left[l] === right[r]);
  const [lefts, rights] = [new Set(pairs.map(([l]) => l)), new Set(pairs.map(([, r]) => r))];
  return [
    left.filter((_, index) => !lefts.has(index)),
    right.filter((_, index) => !rights.has(index)),
  ];
}
