import * as l10n from '@vscode/l10n';
import type { DoctorReport, Finding } from '../../server/api/doctor';
import { escapeMarkdown } from '../ui/tooltip';

const HEADS = [l10n.t('Checked'), l10n.t('Found'), l10n.t('To do')];
const SIGNS: Record<Finding['status'], string> = { ok: '✓', warning: '⚠', failed: '✗' };
/** Problems come first. */
const ORDER: Finding['status'][] = ['failed', 'warning', 'ok'];

/** Formats a report as Markdown. */
export function doctorDocument({ version, findings }: DoctorReport): string {
  const count = (status: Finding['status']): number =>
    findings.filter((finding) => finding.status === status).length;
  const summary =
    count('failed') > 0
      ? l10n.t(
          '{0} to fix, {1} to improve, {2} fine.',
          count('failed'),
          count('warning'),
          count('ok'),
        )
      : count('warning') > 0
        ? l10n.t('Everything works; {0} to improve, {1} fine.', count('warning'), count('ok'))
        : l10n.t('Everything is fine.');
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return [
    `# ${l10n.t('Forklens Doctor')}`,
    `${summary} ${l10n.t('Version {0}.', version)}`,
    `| | ${HEADS.join(' | ')} |\n| --- | --- | --- | --- |`,
  ]
    .join('\n\n')
    .concat('\n', sorted.map(row).join('\n'), '\n');
}

const row = ({ name, status, message, advice = '' }: Finding): string =>
  `| ${[SIGNS[status], ...[name, message, advice].map(cell)].join(' | ')} |`;

/** A table cell must fit on one line. */
const cell = (text: string): string => escapeMarkdown(text).replace(/\s+/g, ' ');
