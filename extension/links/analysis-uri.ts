import * as l10n from '@vscode/l10n';
import { invalidField } from '../../server/api/errors';
import type { EditorBreakpoint } from '../../server/api/case-content';
import { hashSchema, type Hash } from '../../server/api/primitives';
import type { PlaceInRecording } from '../model/debugging';
import { sentence } from '../model/sentence';

export interface AnalysisLink {
  /** What the link does. */
  page: 'analyze' | 'debug';
  transaction: Hash;
  /** Slug of a chain or id of a fork; undefined: search for it. */
  chain?: string;
  /** Where the debugger stops first; a number is a node of the call tree. */
  stopAt?: 'entry' | 'failure' | number | { step: number; build: Build };
  breakpoints?: EditorBreakpoint[];
}

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Fields of each page. */
const FIELDS = {
  '/analyze': ['chain', 'tx'],
  '/debug': ['chain', 'tx', 'at', 'step', 'build', 'break'],
};
const BUILDS = ['executed', 'unoptimized'] as const;
type Build = (typeof BUILDS)[number];

const MOST_BREAKPOINTS = 100;
/** A line of a file, as compiled, or a function. */
const LINE = /^([^\p{C}]{1,300}):([1-9]\d{0,6})$/u;
const FUNCTION = /^[A-Za-z_$][\w$.]{0,199}$/;

class LinkProblem extends Error {}

/**
 * Parses a link from outside the editor. Links are untrusted: only `/analyze` and `/debug` with these fields are accepted.
 * @param query `chain=eth&tx=0x…`, still encoded
 */
export function parseAnalysisUri(path: string, query: string): AnalysisLink | { problem: string } {
  try {
    return readLink(path, query);
  } catch (error) {
    if (error instanceof LinkProblem) return { problem: error.message };
    throw error;
  }
}

/**
 * The query of a `/debug` link that begins where a session is. Conditions are left out: a link cannot make the service evaluate anything.
 */
export function sessionQuery(
  {
    chain,
    transaction,
    step,
    build,
  }: Pick<PlaceInRecording, 'chain' | 'transaction' | 'step' | 'build'>,
  breakpoints: readonly EditorBreakpoint[],
): string {
  const query = new URLSearchParams({ chain, tx: transaction, step: String(step), build });
  for (const one of breakpoints) {
    if (one.isDisabled === true) continue;
    query.append('break', 'function' in one ? one.function : `${one.source}:${one.line}`);
  }
  return query.toString();
}

function readLink(path: string, query: string): AnalysisLink {
  if (path !== '/analyze' && path !== '/debug') throw problem('path', path, '/analyze, /debug');
  const accepted = FIELDS[path];
  const fields = new URLSearchParams(query);
  const unknown = [...fields.keys()].find((name) => !accepted.includes(name));
  if (unknown !== undefined) throw problem('query', unknown, accepted.join(', '));
  const tx = fields.get('tx');
  const hash = hashSchema.safeParse(tx);
  if (!hash.success)
    throw problem('tx', tx ?? undefined, l10n.t('a transaction hash: 0x and 64 hex digits'));
  const chain = fields.get('chain');
  if (chain !== null && !SLUG.test(chain))
    throw problem('chain', chain, l10n.t('the slug of a chain, or the id of a fork'));
  const stopAt = stopOf(fields);
  const breakpoints = breakpointsOf(fields.getAll('break'));
  return {
    page: path === '/analyze' ? 'analyze' : 'debug',
    transaction: hash.data,
    ...(chain !== null && { chain }),
    ...(stopAt !== undefined && { stopAt }),
    ...(breakpoints.length > 0 && { breakpoints }),
  };
}

function stopOf(fields: URLSearchParams): AnalysisLink['stopAt'] {
  const [at, step, named] = [fields.get('at'), fields.get('step'), fields.get('build')];
  const build = BUILDS.find((one) => one === (named ?? 'executed'));
  if (build === undefined) throw problem('build', named, BUILDS.join(', '));
  if (step !== null) {
    if (at !== null) throw problem('at', at, l10n.t('none together with step'));
    if (!NUMBER.test(step)) throw problem('step', step, l10n.t('the number of a step'));
    return { step: Number(step), build };
  }
  if (named !== null) throw problem('build', named, l10n.t('only together with step'));
  if (at === null || at === 'entry' || at === 'failure') return at ?? undefined;
  if (NUMBER.test(at)) return Number(at);
  throw problem('at', at, l10n.t('entry, failure, or the number of a node of the call tree'));
}

function breakpointsOf(texts: readonly string[]): EditorBreakpoint[] {
  if (texts.length > MOST_BREAKPOINTS) {
    throw problem('break', texts.length, l10n.t('up to {0} breakpoints', MOST_BREAKPOINTS));
  }
  return texts.map((text) => {
    const [, source, line] = LINE.exec(text) ?? [];
    if (source !== undefined) return { source, line: Number(line) };
    if (FUNCTION.test(text)) return { function: text };
    throw problem('break', text, l10n.t('a line such as src/Vault.sol:88, or a function'));
  });
}

const NUMBER = /^\d{1,9}$/;

const problem = (field: string, value: unknown, accepted: string): LinkProblem =>
  new LinkProblem(
    l10n.t(
      'This link cannot be opened: {0}',
      sentence(invalidField(field, value, accepted).message),
    ),
  );
