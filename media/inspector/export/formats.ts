import { escapedJson } from '../../../server/api/visible-text';
import * as l10n from '@vscode/l10n';
import type { Names } from '../../../server/presentation/segment';
import type { PartId } from '../protocol/protocol';
import { answersOf } from './answers';
import { csv } from './csv';
import { withOwnLabels } from './own-labels';
import { report, type Exported } from './report';
import { balancesTable, callsTable, eventsTable, transfersTable } from './tables';

/** An export format. `needs` lists the required parts besides the flow; parts that fail to load are left out. */
export interface ExportFormat {
  title: string;
  /** End of the proposed file name. */
  suffix: string;
  needs: readonly PartId[];
  /** Returns undefined if a required part is missing. */
  write: (parts: Exported, names: Names) => string | undefined;
}

/** All parts except the flow, which every export loads, and the source locations. */
export const EVERYTHING = ['balanceChange', 'fundFlow', 'stateDiff', 'gasProfile'] as const;

export const exportFormats = (): readonly ExportFormat[] => [
  {
    title: l10n.t('Markdown Report'),
    suffix: '.md',
    needs: ['balanceChange', 'fundFlow'],
    write: (parts, names) => report(parts, names),
  },
  {
    title: l10n.t('JSON, as the Service Answers'),
    suffix: '.json',
    needs: EVERYTHING,
    write: (parts) => `${escapedJson(JSON.stringify(answersOf(withOwnLabels(parts)), null, 2))}\n`,
  },
  {
    title: l10n.t('Balance Changes as CSV'),
    suffix: '-balances.csv',
    needs: ['balanceChange'],
    write: ({ balanceChange }, names) => balanceChange && csv(balancesTable(balanceChange, names)),
  },
  {
    title: l10n.t('Transfers as CSV'),
    suffix: '-transfers.csv',
    needs: ['fundFlow'],
    write: ({ fundFlow }, names) => fundFlow && csv(transfersTable(fundFlow, names)),
  },
  {
    title: l10n.t('Events as CSV'),
    suffix: '-events.csv',
    needs: [],
    write: ({ flow }, names) => csv(eventsTable(flow.rows, names)),
  },
  {
    title: l10n.t('Calls as CSV'),
    suffix: '-calls.csv',
    needs: [],
    write: ({ flow }, names) => csv(callsTable(flow.rows, names)),
  },
];
