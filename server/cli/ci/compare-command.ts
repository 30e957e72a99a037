import type { Colors } from 'picocolors/types';
import type { RouteRequest } from '../../api/routes';
import { visibleText } from '../../api/visible-text';
import type { Analysis } from '../../api/views';
import type { EffectDifference, Effects } from '../analysis/effects';
import type { Context, Handler } from '../command-handlers/context';
import { callOptions, readView } from '../command-handlers/located-transaction';
import { findChain } from '../command-handlers/references';
import { readBaseline, writeBaseline, type BaselineEntry } from './baseline';

interface ComparedEntry {
  name: string;
  equal: boolean;
  /** Empty and not equal: the file does not say what is expected. */
  differences: EffectDifference[];
}

/** Compares what transactions and simulations do with what a file says of them. */
export const compareCommand: Handler<'ci compare'> = async (
  { baseline: file, update },
  context,
) => {
  const { compareEffects, effectsOf } = await import('../analysis/analysis-bundle');
  const baseline = await readBaseline(file);
  const compared: ComparedEntry[] = [];
  for (const [index, entry] of baseline.entries.entries()) {
    context.signal.throwIfAborted();
    context.out.progressOf('seconds')?.({
      stage: entry.name,
      done: index,
      total: baseline.entries.length,
    });
    const found = effectsOf(await analysisOf(entry, context));
    const { name, expected } = entry;
    const tolerance = entry.gasTolerance ?? baseline.gasTolerance ?? 0;
    const differences = expected ? compareEffects(withLists(expected), found, tolerance) : [];
    compared.push({ name, equal: expected !== undefined && differences.length === 0, differences });
    if (update) entry.expected = updated(expected, found);
  }
  const changed = compared.filter(({ equal }) => !equal);
  if (update && changed.length > 0) await writeBaseline(file, baseline);
  if (!update && changed.length > 0) process.exitCode = 1;
  const result = { equal: changed.length === 0, updated: update, entries: compared };
  context.out.result(result, () => renderAll(compared, update, context.out.colors));
};

async function analysisOf(entry: BaselineEntry, context: Context): Promise<Analysis> {
  const { chain, transaction, simulation } = entry;
  if (transaction !== undefined) {
    return readView('getAnalysis', { chain, hash: transaction, proof: 'wait' }, context);
  }
  const { client } = context.connection;
  const params = { chain: await findChain(client, chain) };
  // The service checks the body, and names the field that it does not accept.
  const body = simulation as unknown as RouteRequest<'simulate'>['body'];
  return client.call('simulate', { params, body }, callOptions(context));
}

/** Without members that are undefined. */
const withLists = (expected: NonNullable<BaselineEntry['expected']>): Effects =>
  Object.fromEntries(
    Object.entries(expected).filter(([, value]) => value !== undefined),
  ) as unknown as Effects;

/** Lists that somebody took out of the file stay out. */
function updated(expected: BaselineEntry['expected'], found: Effects): BaselineEntry['expected'] {
  if (!expected) return found;
  const kept = Object.entries(found).filter(([name]) => Object.hasOwn(expected, name));
  return Object.fromEntries(kept) as unknown as Effects;
}

function renderAll(
  entries: readonly ComparedEntry[],
  isUpdated: boolean,
  colors: Colors,
): string[] {
  return entries.flatMap(({ name, equal, differences }) => {
    if (equal) return [`${colors.green('✓')} ${visibleText(name)}`];
    const head = `${isUpdated ? colors.yellow('↻') : colors.red('✗')} ${visibleText(name)}`;
    if (differences.length === 0) {
      return [
        isUpdated ? `${head}: recorded` : `${head}: nothing is expected yet; --update writes it`,
      ];
    }
    return [head, ...differences.flatMap((one) => renderDifference(one, colors))];
  });
}

/** As `forklens compare` writes both sides. */
const renderDifference = (
  { what, expected, found }: EffectDifference,
  colors: Colors,
): string[] => [
  colors.dim(`  ${what}`),
  ...expected.map((line) => colors.red(`  - ${shownLine(line)}`)),
  ...found.map((line) => colors.green(`  + ${shownLine(line)}`)),
];

/** Keeps the indentation of calls. */
function shownLine(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + visibleText(text);
}
