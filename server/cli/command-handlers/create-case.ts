import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { CaseShown } from '../../api/case-content';
import type { RouteRequest } from '../../api/routes';
import { BookError } from '../../client/book/book';
import { analysesOf as analysesOfBook } from '../../client/book/book-analyses';
import { parseBook } from '../../client/book/parse-book';
import { sessionShown } from '../../client/case-breakpoint';
import type { Input } from '../command-specs/commands';
import { chainOrFork } from '../command-specs/kinds';
import { UsageError } from '../errors/usage-error';
import type { Context } from './context';
import { callOptions } from './located-transaction';
import { findChain } from './references';

const EXTENSION = '.forklens';

type Given = Input<'case create'>;
type Body = RouteRequest<'writeCase'>['body'];

/** Writes a case file of a transaction, a simulation, a notebook, a comparison or a debugger session. */
export async function createCase(given: Given, context: Context): Promise<void> {
  const { connection, out } = context;
  requireOneSubject(given);
  const { output, prove } = given;
  const file = casePathOf(output ?? `${stemOf(given)}${EXTENSION}`, '--output');
  const content =
    given.notebook === undefined
      ? { analyses: await analysesOf(given, context), shown: shownBy(given) }
      : await readNotebook(given.notebook);
  const body: Body = { file, prove, ...content };
  const written = await connection.client.call(
    'writeCase',
    { body },
    callOptions(context, 'minutes'),
  );
  const { bytes, block, hasProof } = written;
  const proof = hasProof
    ? `, provable by the hash of block ${Number(block.number)}: ${block.hash}`
    : '';
  out.result(written, `Wrote ${written.file} (${Math.ceil(bytes / 1000)} kB${proof}).`);
}

/** @throws UsageError if the name does not end as names of case files do */
export function casePathOf(file: string, label: string): string {
  if (file.endsWith(EXTENSION)) return resolve(file);
  throw new UsageError(
    `${label} is ${JSON.stringify(file)}; accepted: a path that ends with ${EXTENSION}`,
  );
}

/** The name of the file where none is given, without its ending. */
function stemOf({ hash, notebook }: Given): string {
  if (notebook === undefined) return hash ?? 'simulation';
  return basename(notebook, extname(notebook));
}

/** @throws UsageError for options that contradict each other */
function requireOneSubject({
  chain,
  hash,
  simulation,
  notebook,
  title,
  compare,
  compareChain,
  breakpoint,
  step,
}: Given): void {
  const subjects = [hash, simulation, notebook].filter((one) => one !== undefined);
  if (subjects.length !== 1) {
    throw new UsageError(
      'the subject is missing or given twice; accepted: <hash>, --simulation or --notebook',
    );
  }
  const isShown = compare !== undefined || breakpoint.length > 0 || step !== undefined;
  if (notebook !== undefined && (chain !== undefined || isShown)) {
    throw new UsageError(
      '--notebook is given with <chain>, --compare, --breakpoint or --step; accepted: none of them',
    );
  }
  if (title !== undefined && simulation === undefined) {
    throw new UsageError('--title is given without --simulation');
  }
  if (compareChain !== undefined && compare === undefined) {
    throw new UsageError('--compare-chain is given without --compare');
  }
  if (compare !== undefined && (breakpoint.length > 0 || step !== undefined)) {
    throw new UsageError('--compare is given with --breakpoint or --step; accepted: one of them');
  }
}

async function analysesOf(
  { chain: reference, hash, simulation, title, compare, compareChain }: Given,
  { connection: { client } }: Context,
): Promise<Body['analyses']> {
  if (reference === undefined)
    throw new UsageError(`<chain> is missing; accepted: ${chainOrFork.accepted}`);
  const chain = await findChain(client, reference);
  const analyses: Body['analyses'] = [];
  if (hash !== undefined) analyses.push({ chain, transaction: hash });
  if (simulation !== undefined) {
    const body = await readSimulation(simulation);
    analyses.push({ chain, simulation: body, ...(title === undefined ? {} : { title }) });
  }
  if (compare !== undefined) {
    const other = compareChain === undefined ? chain : await findChain(client, compareChain);
    analyses.push({ chain: other, transaction: compare });
  }
  return analyses;
}

/** The book and the analyses of its cells, on the chains that it names. @throws UsageError */
async function readNotebook(file: string): Promise<Pick<Body, 'analyses' | 'shown'>> {
  try {
    const text = await readFile(file, 'utf8');
    const analyses = analysesOfBook(parseBook(text));
    return { analyses, shown: { kind: 'notebook', name: basename(file), text } };
  } catch (error) {
    if (error instanceof BookError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The service checks the fields. @throws UsageError */
async function readSimulation(file: string): Promise<RouteRequest<'simulate'>['body']> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read: ${code === undefined ? 'not JSON' : message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as RouteRequest<'simulate'>['body'];
  }
  throw new UsageError(`${file} holds no simulation; accepted: an object with from, to, data`);
}

/** @throws ApiError `invalidField` for a line that is none */
function shownBy({ compare, breakpoint, step }: Given): CaseShown | undefined {
  if (compare !== undefined) return { kind: 'comparison' };
  if (breakpoint.length === 0 && step === undefined) return undefined;
  return sessionShown(breakpoint, step);
}
