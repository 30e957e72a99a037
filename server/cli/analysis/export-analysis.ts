import { flowPart, partOfAnalysis } from '../../../media/inspector/analysis-parts';
import { exportFormats } from '../../../media/inspector/export/formats';
import type { Exported } from '../../../media/inspector/export/report';
import { namesOf } from '../../../media/inspector/grammar/segment';
import { ApiError } from '../../api/errors';
import type { Analysis } from '../../api/views';
import type { EXPORT_FORMATS } from '../table/transaction-commands';

/** Endings of the files that the inspector writes in the same formats. */
const SUFFIXES: Readonly<Record<(typeof EXPORT_FORMATS)[number], string>> = {
  json: '.json',
  markdown: '.md',
  'csv-balances': '-balances.csv',
  'csv-transfers': '-transfers.csv',
  'csv-events': '-events.csv',
  'csv-calls': '-calls.csv',
};

/** An analysis as the inspector exports it. @throws ApiError where the part that is wanted could not be made */
export function exportAnalysis(
  analysis: Analysis,
  format: (typeof EXPORT_FORMATS)[number],
): string {
  const written = exportFormats()
    .find(({ suffix }) => suffix === SUFFIXES[format])
    ?.write(partsOf(analysis), namesOf(analysis.labels));
  if (written !== undefined) return written;
  const [failure] = analysis.failures;
  throw new ApiError(
    'upstreamLacksData',
    failure?.message ?? `there is nothing to export as ${format}`,
  );
}

function partsOf(analysis: Analysis): Exported {
  const parts = (['balanceChange', 'fundFlow', 'stateDiff', 'gasProfile'] as const).map((id) => [
    id,
    partOfAnalysis(id, analysis),
  ]);
  const known = parts.filter(([, part]) => part !== undefined);
  return { flow: flowPart(analysis), ...(Object.fromEntries(known) as Partial<Exported>) };
}
