import type { DoctorReport, Finding } from '../../server/api/doctor';
import { escapeMarkdown } from '../views/tooltip';

const SIGNS: Record<Finding['status'], string> = { ok: '✓', warning: '⚠', failed: '✗' };
/** What is to be mended stands first. */
const ORDER: Finding['status'][] = ['failed', 'warning', 'ok'];

/** A report as Markdown. */
export function doctorDocument({ version, findings }: DoctorReport): string {
  const count = (status: Finding['status']): number =>
    findings.filter((finding) => finding.status === status).length;
  const summary =
    count('failed') > 0
      ? `${count('failed')} to mend, ${count('warning')} to improve, ${count('ok')} fine.`
      : count('warning') > 0
        ? `Everything works; ${count('warning')} to improve, ${count('ok')} fine.`
        : 'Everything is fine.';
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return [
    '# Forklens Doctor',
    `${summary} Version ${version}.`,
    '| | Checked | Found | To do |\n| --- | --- | --- | --- |',
  ]
    .join('\n\n')
    .concat('\n', sorted.map(row).join('\n'), '\n');
}

const row = ({ name, status, message, advice = '' }: Finding): string =>
  `| ${[SIGNS[status], ...[name, message, advice].map(cell)].join(' | ')} |`;

/** Of a table: on one line. */
const cell = (text: string): string => escapeMarkdown(text).replace(/\s+/g, ' ');
