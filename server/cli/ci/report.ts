import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleText } from '../../api/visible-text';
import type { Analysis } from '../../api/views';
import { counted } from '../../client/format';
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

/** Writes a case file. @returns why there is none, empty if it was written */
type WriteCase = (one: FailedTransaction, file: string) => Promise<string>;

export interface JobReport {
  /** Exit code of the program. */
  code: number;
  /** Whether the job was ended by a signal. */
  isCancelled: boolean;
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
    /** Paths of the reports and of the case file. */
    files: string[];
    /** Why there is no report; empty if there is one. */
    problem: string;
    /** Why there is no case file; empty if there is one. */
    caseProblem: string;
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
  writeCase: WriteCase,
): Promise<WrittenReport> {
  try {
    await makeDirectory(folder);
    const transactions: WrittenReport['transactions'] = [];
    for (const one of report.failed) {
      transactions.push(await writeTransaction(folder, one, writeCase));
    }
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
  one: FailedTransaction,
  writeCase: WriteCase,
): Promise<WrittenReport['transactions'][number]> {
  const { fork, transaction, analysis, problem } = one;
  const { hash } = transaction;
  const files: string[] = [];
  const name = join(folder, `${fork}-${hash.slice(0, 18)}`);
  if (analysis) {
    for (const { suffix, write } of ARTIFACTS) {
      const file = name + suffix;
      await replaceFile(file, await write(analysis));
      files.push(file);
    }
  }
  const caseProblem = await writeCase(one, `${name}.forklens`);
  if (caseProblem === '') files.push(`${name}.forklens`);
  return { fork, hash, method: methodText(transaction), files, problem, caseProblem };
}

async function summaryOf(
  { code, isCancelled, failed, omitted, missing }: JobReport,
  written: WrittenReport['transactions'],
): Promise<string> {
  const ended = code === 0 ? 'succeeded' : `ended with exit code ${code}`;
  const outcome = isCancelled ? 'was cancelled' : ended;
  const parts = [`## Forklens: the program ${outcome}\n`];
  if (missing.length > 0) {
    parts.push(`The lockfile lacks ${counted(missing.length, 'read')}:\n`);
    const lines = missing.slice(0, 100).map(({ text, test }) => {
      return `- ${codeText(text)}${test === null ? '' : `, asked by ${codeText(test)}`}`;
    });
    parts.push(`${lines.join('\n')}\n`);
  }
  const count = failed.length + omitted;
  if (count > 0) parts.push(`${counted(count, 'transaction')} failed on the forks of the job.\n`);
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
    const { files: paths = [], caseProblem = '' } = written[index] ?? {};
    const files = paths.map(codeText).join(', ');
    parts.push(`${section.trimEnd()}\n`, ...(files === '' ? [] : [`Reports: ${files}\n`]));
    if (caseProblem !== '') parts.push(`No case file: ${codeText(caseProblem)}\n`);
  }
  if (left > 0) parts.push(`${left} more are left out here.\n`);
  return `${parts.join('\n')}\n`;
}

/** Text of a program or a chain, as code that cannot end. */
const codeText = (text: string): string => `\`${visibleText(text).replaceAll('`', "'")}\``;
