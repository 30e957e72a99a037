import * as l10n from '@vscode/l10n';
import type { Regressed, Regression } from '../../server/api/regress';
import type { RouteRequest } from '../../server/api/routes';
import { bisectionLines } from '../../server/client/bisection-lines';
import { NO_PAINT } from '../../server/client/paint';
import { BookError } from '../../server/client/book/book';
import { ArtifactError, readArtifactText } from '../../server/client/read-artifact';
import {
  FOUND_BY,
  NO_INDEX,
  regressionSummary,
  resultLine,
  TOGETHER,
} from '../../server/client/regression-report';
import { touching } from '../../server/client/touching-pages';
import type { ApiClient } from '../model/api-client';
import type { BisectCell, RegressCell } from './book/read-history-cells';

type WrittenCode = RouteRequest<'regress'>['body']['newCode'];

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
 * What real transactions do with new code, as text that grows.
 * @param show replaces what was shown before
 * @throws BookError if the artifact cannot be read, or no transaction is found; ApiError
 */
export async function runRegress(
  { client, readText }: HistoryRun,
  cell: RegressCell & { chain: string },
  show: (text: string) => void,
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
  const lines = found.by === 'logs' ? [NO_INDEX, ''] : [];
  const results: Regressed[] = [];
  let layout: Regression['layout'] = [];
  let replaced = '';
  for (let start = 0; start < transactions.length; start += TOGETHER) {
    const body = { newCode, transactions: transactions.slice(start, start + TOGETHER) };
    const answer = await client.call('regress', { params, body }, { signal });
    if (start === 0) lines.push(...answer.layout.map(({ text }) => `layout: ${text}`));
    ({ layout, replaced } = answer);
    results.push(...answer.results);
    lines.push(...answer.results.map((one) => resultLine(one, attacks, NO_PAINT)));
    show(lines.join('\n'));
  }
  const newName = newCode.name ?? '';
  const by = FOUND_BY[found.by];
  const set = { chain, address, replaced, newName, by, layout, results, attacks };
  show([...lines, '', ...regressionSummary(set).lines].join('\n'));
}

/** @throws BookError */
async function newCodeOf(readText: HistoryRun['readText'], path: string): Promise<WrittenCode> {
  const text = await readText(path);
  const name = (path.split(/[/\\]/).at(-1) ?? '').replace(/\.json$/, '');
  try {
    // The service validates what the file contains.
    return readArtifactText(text, name) as WrittenCode;
  } catch (error) {
    if (error instanceof ArtifactError) throw new BookError(`code: ${error.message}`);
    throw error;
  }
}
