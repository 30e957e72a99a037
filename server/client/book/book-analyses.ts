import * as l10n from '@vscode/l10n';
import type { RouteRequest } from '../../api/routes';
import { readAnalyzed, readSimulation } from './analysis-cells';
import { BookError, type Book } from './book';
import { networkOf } from './front-matter';

type WrittenAnalyses = RouteRequest<'writeCase'>['body']['analyses'];

/**
 * The analyses of the cells of a book, without repetitions. JSON-RPC cells are left out: they need the fork.
 * @throws BookError for a book without any, or a cell that names no transaction
 */
export function analysesOf({ head, cells }: Pick<Book, 'head' | 'cells'>): WrittenAnalyses {
  const network = networkOf(head);
  const found = new Map<string, WrittenAnalyses[number]>();
  for (const [index, { kind, text }] of cells.entries()) {
    const analysis = analysisOf(kind, text, network, index + 1);
    if (analysis) found.set(JSON.stringify(analysis), analysis);
  }
  if (found.size > 0) return [...found.values()];
  throw new BookError(l10n.t('No cell of the notebook shows an analysis.'));
}

function analysisOf(
  kind: Book['cells'][number]['kind'],
  text: string,
  network: string,
  number: number,
): WrittenAnalyses[number] | undefined {
  if (kind === 'simulate') return { chain: network, simulation: readSimulation(text) };
  if (kind !== 'analyze') return undefined;
  const { transaction, chain = network } = readAnalyzed(text);
  if (transaction !== 'last') return { chain, transaction };
  throw new BookError(
    l10n.t('Cell {0} analyzes "last": write the hash of the transaction in its place.', number),
  );
}
