import { appendFile, readFile, writeFile } from 'node:fs/promises';
import type { Regressed, Regression } from '../../api/regress';
import {
  FOUND_BY,
  MISSED,
  regressionReport,
  regressionSummary,
  resultLine,
  TOGETHER,
  type RegressedSet,
} from '../../client/regression-report';
import { touching } from '../../client/touching-pages';
import type { Input } from '../command-specs/commands';
import { UsageError } from '../errors/usage-error';
import { compareWithCode } from './compare-with-code';
import type { Context, Handler } from './context';
import { callOptions } from './located-transaction';
import { readNewCode } from './read-new-code';
import { findChain } from './references';

/** More need `--yes`. */
const WITHOUT_YES = 1_000_000;

const COMPARABLE: ReadonlySet<Regressed['verdict']> = new Set([
  'nowFails',
  'otherEffects',
  'nowSucceeds',
]);
const COMPARE = 'In what a transaction differs: the same command with --compare <hash>.';

type RegressInput = Input<'regress'>;

/** Executes real transactions of a contract again with new code. */
export const regressCommand: Handler<'regress'> = async (input, context) => {
  const { connection, out } = context;
  const { client } = connection;
  requireYes(input.last, input);
  const newCode = await readNewCode(client, input.code);
  const init = await initCall(input);
  const chain = await findChain(client, input.chain);
  const params = { chain, address: input.address };
  if (input.compare !== undefined) {
    await compareWithCode({ ...input, params, newCode, init }, input.compare, context);
    return;
  }
  const found = await wantedTransactions(input, params, context);
  const attacks = new Set(input.attack.map((hash) => hash.toLowerCase()));
  const transactions = [...new Set([...found.transactions, ...attacks])];
  if (transactions.length === 0) {
    throw new UsageError(
      `no transaction touched ${input.address}; accepted: another range, or --file`,
    );
  }
  requireYes(transactions.length, input);
  const key = JSON.stringify([
    chain,
    input.address.toLowerCase(),
    newCode.code,
    ...(init ? [init] : []),
  ]);
  const known =
    input.resume === undefined
      ? new Map<string, Regressed>()
      : await keptResults(input.resume, key);
  let layout: Regression['layout'] | undefined;
  let replaced = '';
  const results = new Map(
    transactions.flatMap((hash) => {
      const one = known.get(hash);
      return one ? [[hash, one] as const] : [];
    }),
  );
  const open = transactions.filter((hash) => !results.has(hash));
  // One is executed in any case: its answer has the layouts.
  if (open.length === 0) open.push(...transactions.slice(0, 1));
  for (let start = 0; start < open.length; start += TOGETHER) {
    const part = open.slice(start, start + TOGETHER);
    const body = { newCode, transactions: part, ...(init && { init }) };
    const answer = await client.call('regress', { params, body }, callOptions(context));
    if (layout === undefined && !out.isJson)
      for (const { text } of answer.layout) out.note(`layout: ${text}`);
    [layout, replaced] = [answer.layout, answer.replaced];
    for (const one of answer.results) {
      results.set(one.transaction, one);
      if (!out.isJson) out.line(undefined, resultLine(one, attacks, out.colors));
      if (input.resume !== undefined) await keep(input.resume, key, one);
    }
  }
  const set: RegressedSet = {
    chain: input.chain,
    address: input.address,
    replaced,
    newName: newCode.name ?? '',
    by: found.by,
    layout: layout ?? [],
    results: transactions.flatMap((hash) => results.get(hash) ?? []),
    attacks,
  };
  const { isPassed, ...summary } = regressionSummary(set);
  if (input.output !== undefined) await writeReport(input.output, regressionReport(set));
  out.result({ ...summary, isPassed, replaced, layout: set.layout, results: set.results }, () => [
    '',
    ...summary.lines,
  ]);
  if (set.results.some(({ verdict }) => COMPARABLE.has(verdict))) out.note(COMPARE);
  if (!isPassed) process.exitCode = 1;
};

async function wantedTransactions(
  { file, last, from, to }: RegressInput,
  params: { chain: string; address: string },
  { connection: { client }, signal, out }: Context,
): Promise<{ transactions: string[]; by: string }> {
  if (file !== undefined) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new UsageError(`--file cannot be read: ${(error as Error).message}`);
    });
    const transactions = text
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => word.toLowerCase());
    const wrong = transactions.find((word) => !/^0x[0-9a-f]{64}$/.test(word));
    if (wrong !== undefined) {
      throw new UsageError(
        `--file contains ${JSON.stringify(wrong)}; accepted: transaction hashes, 0x and 64 hex digits`,
      );
    }
    return { transactions, by: `the file ${file}` };
  }
  const found = await touching({ last, from, to }, (body) =>
    client.call('findTouching', { params, body }, { signal }),
  );
  const missed = MISSED[found.by];
  if (missed !== undefined) out.note(missed);
  return { transactions: found.transactions, by: FOUND_BY[found.by] };
}

/** @throws UsageError for more transactions than anyone executes by mistake */
function requireYes(count: number, { yes }: Pick<RegressInput, 'yes'>): void {
  if (yes || count <= WITHOUT_YES) return;
  throw new UsageError(
    `${count} transactions would be executed; accepted: up to ${WITHOUT_YES}, or more with --yes`,
  );
}

/** @throws UsageError */
async function initCall({
  init,
  initArg,
  initFrom,
}: RegressInput): Promise<{ data: string; from?: string } | undefined> {
  if (init === undefined) {
    if (initArg.length === 0 && initFrom === undefined) return undefined;
    throw new UsageError('--init is missing; accepted: a signature or call data');
  }
  const { encodeCall } = await import('../analysis/encode-call');
  const data = init.startsWith('0x') ? init : encodeCall(init, initArg);
  return { data, ...(initFrom === undefined ? {} : { from: initFrom }) };
}

/** Results that an earlier run has kept for the same contract and code. @throws UsageError */
async function keptResults(file: string, key: string): Promise<Map<string, Regressed>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const kept = new Map<string, Regressed>();
  for (const line of text.split('\n')) {
    // A run that ended while it wrote leaves half a line.
    if (!line.endsWith('}')) continue;
    try {
      const entry = JSON.parse(line) as { key?: string; result?: Regressed };
      if (entry.key === key && entry.result) kept.set(entry.result.transaction, entry.result);
    } catch {
      throw new UsageError(
        `--resume is ${JSON.stringify(file)}; accepted: a file that an earlier run has written, or a new one`,
      );
    }
  }
  return kept;
}

async function keep(file: string, key: string, result: Regressed): Promise<void> {
  try {
    await appendFile(file, `${JSON.stringify({ key, result })}\n`);
  } catch (error) {
    throw new UsageError(`--resume cannot be written: ${(error as Error).message}`);
  }
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`--output cannot be written: ${(error as Error).message}`);
  }
}
