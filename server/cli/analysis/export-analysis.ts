import { flowPart, partOfAnalysis } from '../../../media/inspector/protocol/analysis-parts';
import { exportFormats } from '../../../media/inspector/export/formats';
import type { Exported } from '../../../media/inspector/export/report';
import { namesOf } from '../../presentation/segment';
import { ApiError } from '../../api/errors';
import type { Analysis } from '../../api/views';
import { exportGraph } from './export-graph';
import { exportPage } from './export-page';
import type { EXPORT_FORMATS } from '../command-specs/transaction-commands';

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Suffixes of the inspector's files in the same formats. */
const SUFFIXES: Readonly<Record<Exclude<ExportFormat, 'html' | 'svg'>, string>> = {
  json: '.json',
  markdown: '.md',
  'csv-balances': '-balances.csv',
  'csv-transfers': '-transfers.csv',
  'csv-events': '-events.csv',
  'csv-calls': '-calls.csv',
};

/** Exports an analysis in the inspector's formats. @throws ApiError if the required part of the analysis is missing */
export async function exportAnalysis(analysis: Analysis, format: ExportFormat): Promise<string> {
  if (format === 'html') return exportPage(analysis, partsOf(analysis));
  const written =
    format === 'svg'
      ? exportGraph(analysis)
      : exportFormats()
          .find(({ suffix }) => suffix === SUFFIXES[format])
          ?.write(partsOf(analysis), namesOf(analysis.labels));
  if (written !== undefined) return written;
  const [failure] = analysis.failures;
  const message = failure?.message ?? `there is nothing to export as ${format}`;
  throw new ApiError('upstreamLacksData', message);
}

function partsOf(analysis: Analysis): Exported {
  const parts = (['balanceChange', 'fundFlow', 'stateDiff', 'gasProfile'] as const).map((id) => [
    id,
    partOfAnalysis(id, analysis),
  ]);
  const known = parts.filter(([, part]) => part !== undefined);
  return { flow: flowPart(analysis), ...(Object.fromEntries(known) as Partial<Exported>) };
}
