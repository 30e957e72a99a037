import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleText } from '../../api/visible-text';
import type { Analysis } from '../../api/views';
import { methodText } from '../../client/method-text';
import { makeDirectory } from '../../kernel/files/make-directory';
import { replaceFile } from '../../kernel/files/replace-file';
import { UsageError } from '../errors/usage-error';
import type { ShownMissingRead } from '../lock/missing-reads';
import type { FailedTransaction } from './failed-transactions';

/** GitHub shows at most 1 MiB of each step. */
const MAX_SUMMARY = 900_000;

/** Files that are written for each analysis of a failed transaction. */
const ARTIFACTS: readonly {
  suffix: string;
  write: (analysis: Analysis) => Promise<string>;
}[] = [
  {
    suffix: '.html',
    write: async (analysis) => (await bundle()).exportAnalysis(analysis, 'html'),
  },
  {
    suffix: '.md',
    write: async (analysis) => (await bundle()).exportAnalysis(analysis, 'markdown'),
  },
];

const bundle = () => import('../analysis/analysis-bundle');

export interface JobReport {
  /** Exit code of the program. */
  code: number;
  failed: readonly FailedTransaction[];
  /** Failed transactions without a report. */
  omitted: number;
  missing: readonly ShownMissingRead[];
}

/** What a job left behind, for `--json`. */
export interface WrittenReport {
  summary: string;
  transactions: {
    fork: string;
    hash: string;
    method: string;
    /** Paths of the reports. */
    files: string[];
    /** Why there is no report; empty if there is one. */
    problem: string;
  }[];
}

/**
 * Writes the reports of a job and its summary, `summary.md`, to a folder; appends the summary to a file as well.
 * @param pageFile GITHUB_STEP_SUMMARY
 * @throws UsageError if something cannot be written
 */
export async function writeReport(
  folder: string,
  report: JobReport,
  pageFile: string | undefined,
): Promise<WrittenReport> {
  try {
    await makeDirectory(folder);
    const transactions: WrittenReport['transactions'] = [];
    for (const one of report.failed) transactions.push(await writeTransaction(folder, one));
    const text = await summaryOf(report, transactions);
    const summary = join(folder, 'summary.md');
    await replaceFile(summary, text);
    if (pageFile !== undefined && pageFile !== '') await appendFile(pageFile, text);
    return { summary, transactions };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`--artifacts cannot be written: ${(error as Error).message}`);
  }
}

async function writeTransaction(
  folder: string,
  { fork, transaction, analysis, problem }: FailedTransaction,
): Promise<WrittenReport['transactions'][number]> {
  const { hash } = transaction;
  const files: string[] = [];
  if (analysis) {
    for (const { suffix, write } of ARTIFACTS) {
      const file = join(folder, `${fork}-${hash.slice(0, 18)}${suffix}`);
      await replaceFile(file, await write(analysis));
      files.push(file);
    }
  }
  return { fork, hash, method: methodText(transaction), files, problem };
}

async function summaryOf(
  { code, failed, omitted, missing }: JobReport,
  written: WrittenReport['transactions'],
): Promise<string> {
  const outcome = code === 0 ? 'succeeded' : `ended with exit code ${code}`;
  const parts = [`## Forklens: the program ${outcome}\n`];
  if (missing.length > 0) {
    parts.push(`${missing.length} reads are missing in the lockfile:\n`);
    const lines = missing.slice(0, 100).map(({ text, test }) => {
      return `- ${codeText(text)}${test === null ? '' : `, asked by ${codeText(test)}`}`;
    });
    parts.push(`${lines.join('\n')}\n`);
  }
  const count = failed.length + omitted;
  if (count > 0) parts.push(`${count} transactions failed on the forks of the job.\n`);
  let size = parts.join('').length;
  let left = omitted;
  for (const [index, { analysis, problem, transaction }] of failed.entries()) {
    const text = analysis
      ? await (await bundle()).exportAnalysis(analysis, 'markdown')
      : `# ${transaction.hash}\n\nNo analysis: ${codeText(problem)}\n`;
    // Below the heading of the summary.
    const section = text.replace(/^(#+ )/gm, '##$1');
    size += section.length;
    if (size > MAX_SUMMARY) {
      left += failed.length - index;
      break;
    }
    const files = (written[index]?.files ?? []).map(codeText).join(', ');
    parts.push(`${section.trimEnd()}\n`, ...(files === '' ? [] : [`Reports: ${files}\n`]));
  }
  if (left > 0) parts.push(`${left} more are left out here.\n`);
  return `${parts.join('\n')}\n`;
}

/** Text of a program or a chain, as code that cannot end. */
const codeText = (text: string): string => `\`${visibleText(text).replaceAll('`', "'")}\``;
