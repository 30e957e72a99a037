import { VERDICTS, type Regressed, type Regression, type Touching } from '../api/regress';
import type { Paint } from './paint';

/** Transactions of a request: their results are shown together. */
export const TOGETHER = 4;

/** How transactions were found. */
export const FOUND_BY: Readonly<Record<Touching['by'], string>> = {
  index: 'the index of the node',
  fork: 'the index of the fork, and before it the events of the contract',
  logs: 'the events of the contract',
};

/** What a search by events misses. */
export const MISSED: Readonly<Partial<Record<Touching['by'], string>>> = {
  fork: 'Transactions of the chain before the fork are found by events of the contract: those without one are not found.',
  logs: 'The node has no index of transactions: those without an event of the contract are not found.',
};

/** Executed transactions of one contract. */
export interface RegressedSet {
  readonly chain: string;
  readonly address: string;
  readonly replaced: string;
  readonly newName: string;
  /** How the transactions were found. */
  readonly by: string;
  readonly layout: Regression['layout'];
  readonly results: readonly Regressed[];
  /** Hashes of transactions that must be stopped. */
  readonly attacks: ReadonlySet<string>;
}

type Verdict = Regressed['verdict'];

const TEXTS: Readonly<Record<Verdict, string>> = {
  nowFails: 'now fail',
  otherEffects: 'have other effects',
  nowSucceeds: 'now succeed',
  unknown: 'could not be compared',
  otherGas: 'use other gas alone',
  same: 'are the same',
  created: 'create the contract, and were not compared',
};

/** Outcomes of transactions that no fix should change. */
const BAD: ReadonlySet<Verdict> = new Set(['nowFails', 'otherEffects', 'unknown']);

export interface RegressionSummary {
  readonly isPassed: boolean;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Attacks that new code stops, and that it does not. */
  readonly stopped: readonly string[];
  readonly notStopped: readonly string[];
  readonly lines: readonly string[];
}

export function regressionSummary({ results, attacks, layout }: RegressedSet): RegressionSummary {
  const others = results.filter(({ transaction }) => !attacks.has(transaction));
  const attacked = results.filter(({ transaction }) => attacks.has(transaction));
  const stopped = attacked.filter(({ verdict }) => verdict === 'nowFails');
  const notStopped = attacked.filter(({ verdict }) => verdict !== 'nowFails');
  const groups = VERDICTS.flatMap((verdict) => {
    const count = others.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [[verdict, count] as const];
  });
  const breaks = layout.some(({ level }) => level === 'error');
  return {
    isPassed: notStopped.length === 0 && !breaks && !others.some(({ verdict }) => BAD.has(verdict)),
    counts: Object.fromEntries(groups),
    stopped: stopped.map(({ transaction }) => transaction),
    notStopped: notStopped.map(({ transaction }) => transaction),
    lines: [
      ...stopped.map(({ transaction, cause }) => `The attack ${transaction} stops: ${cause}`),
      ...notStopped.map(({ transaction, verdict, cause }) => {
        const why = verdict === 'unknown' ? `: ${cause}` : '';
        return `The attack ${transaction} does not stop${why}`;
      }),
      ...(breaks ? ['The storage layout breaks.'] : []),
      ...groups.map(([verdict, count]) => `${count} of ${others.length} ${TEXTS[verdict]}.`),
    ],
  };
}

export function resultLine(
  { transaction, verdict, cause }: Regressed,
  attacks: ReadonlySet<string>,
  colors: Paint,
): string {
  const isAttack = attacks.has(transaction);
  const isGood = isAttack ? verdict === 'nowFails' : !BAD.has(verdict);
  const paint = isGood ? colors.green : colors.red;
  const mark = isAttack ? ' (attack)' : '';
  return `${transaction}${mark} ${paint(verdict)}${cause === '' ? '' : `: ${cause}`}`;
}

/** A report in Markdown, the worst first, grouped by cause. */
export function regressionReport(set: RegressedSet): string {
  const { chain, address, replaced, newName, by, layout, results } = set;
  const { lines } = regressionSummary(set);
  return [
    `# ${newName || 'New code'} for ${address} of ${chain}`,
    '',
    `Code replaced: ${replaced}. Transactions by ${by}: ${results.length}.`,
    '',
    ...lines.map((line) => `- ${line}`),
    ...(layout.length === 0 ? [] : ['', '## Storage layout', '', ...layout.map(layoutLine)]),
    ...VERDICTS.flatMap((verdict) => groupLines(set, verdict)),
    '',
  ].join('\n');
}

const layoutLine = ({ level, text, value }: Regression['layout'][number]): string =>
  `- ${level}: ${text}${value === undefined ? '' : ` (now ${value})`}`;

function groupLines({ results, attacks }: RegressedSet, verdict: Verdict): string[] {
  const own = results.filter((one) => one.verdict === verdict);
  if (own.length === 0) return [];
  const byCause = new Map<string, Regressed[]>();
  for (const one of own) {
    const cause = verdict === 'otherGas' ? '' : one.cause;
    byCause.set(cause, [...(byCause.get(cause) ?? []), one]);
  }
  const groups = [...byCause].sort(([, one], [, other]) => other.length - one.length);
  return [
    '',
    `## ${own.length} ${TEXTS[verdict]}`,
    ...groups.flatMap(([cause, members]) => [
      '',
      ...(cause === '' ? [] : [`${cause}:`, '']),
      ...members.map((one) => {
        const gas = one.old && one.new ? ` (gas ${one.old.gasUsed} → ${one.new.gasUsed})` : '';
        return `- \`${one.transaction}\`${attacks.has(one.transaction) ? ' (attack)' : ''}${gas}`;
      }),
    ]),
  ];
}
