import * as l10n from '@vscode/l10n';
import type { Regressed, Regression } from '../../server/api/regress';
import { bisectionLines } from '../../server/client/bisection-lines';
import { NO_PAINT } from '../../server/client/paint';
import { BookError } from '../../server/client/book/book';
import { ArtifactError, readArtifactText } from '../../server/client/read-artifact';
import {
  FOUND_BY,
  MISSED,
  regressionSummary,
  resultLine,
  TOGETHER,
} from '../../server/client/regression-report';
import { touching } from '../../server/client/touching-pages';
import type { ApiClient } from '../model/api-client';
import type { BisectCell, RegressCell } from './book/read-history-cells';
import type { Replay } from './replays';

/** A line of text, with the hash of the transaction that it is about where old and new code can be compared. */
export interface ReplayLine {
  text: string;
  transaction?: string;
}

/** What cells that ask the past of a chain need. */
export interface HistoryRun {
  client: ApiClient;
  /** Reads a text file; a relative path is that from the book. */
  readText: (path: string) => Promise<string>;
}

/** When a value changed, as text. @throws ApiError */
export async function runBisect(
  { client }: Pick<HistoryRun, 'client'>,
  { chain, ...body }: BisectCell & { chain: string },
  show: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { contract, ...rest } = body;
  const found = await client.call(
    'bisect',
    { params: { chain }, body: contract === undefined ? rest : { ...rest, contract } },
    { signal },
  );
  show([...bisectionLines(found, chain, NO_PAINT)].join('\n'));
}

/**
 * What real transactions do with new code, as lines that grow.
 * @param show replaces what was shown before
 * @throws BookError if the artifact cannot be read, or no transaction is found; ApiError
 */
export async function runRegress(
  { client, readText }: HistoryRun,
  cell: RegressCell & { chain: string },
  show: (lines: readonly ReplayLine[], replay: Replay) => void,
  signal: AbortSignal,
): Promise<void> {
  const { chain, address, last, from, to } = cell;
  const newCode = await newCodeOf(readText, cell.code);
  const params = { chain, address };
  const found = await touching({ last, from, to }, (body) =>
    client.call('findTouching', { params, body }, { signal }),
  );
  const attacks = new Set(cell.attacks);
  const transactions = [...new Set([...found.transactions, ...attacks])];
  if (transactions.length === 0) {
    throw new BookError(l10n.t('No transaction touched {0} in these blocks.', address));
  }
  const missed = MISSED[found.by];
  const lines: ReplayLine[] = missed === undefined ? [] : [{ text: missed }, { text: '' }];
  const replay = { chain, address, newCode };
  const results: Regressed[] = [];
  let layout: Regression['layout'] = [];
  let replaced = '';
  for (let start = 0; start < transactions.length; start += TOGETHER) {
    const body = { newCode, transactions: transactions.slice(start, start + TOGETHER) };
    const answer = await client.call('regress', { params, body }, { signal });
    if (start === 0) lines.push(...answer.layout.map(({ text }) => ({ text: `layout: ${text}` })));
    ({ layout, replaced } = answer);
    results.push(...answer.results);
    lines.push(...answer.results.map((one) => replayLine(one, attacks)));
    show(lines, replay);
  }
  const newName = newCode.name ?? '';
  const by = FOUND_BY[found.by];
  const set = { chain, address, replaced, newName, by, layout, results, attacks };
  const summary = ['', ...regressionSummary(set).lines].map((text) => ({ text }));
  show([...lines, ...summary], replay);
}

function replayLine(one: Regressed, attacks: ReadonlySet<string>): ReplayLine {
  const text = resultLine(one, attacks, NO_PAINT);
  return one.new ? { text, transaction: one.transaction } : { text };
}

/** @throws BookError */
async function newCodeOf(
  readText: HistoryRun['readText'],
  path: string,
): Promise<Replay['newCode']> {
  const text = await readText(path);
  const name = (path.split(/[/\\]/).at(-1) ?? '').replace(/\.json$/, '');
  try {
    // The service validates what the file contains.
    return readArtifactText(text, name) as Replay['newCode'];
  } catch (error) {
    if (error instanceof ArtifactError) throw new BookError(`code: ${error.message}`);
    throw error;
  }
}
