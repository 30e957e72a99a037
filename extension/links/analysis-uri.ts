import * as l10n from '@vscode/l10n';
import { invalidField } from '../../server/api/errors';
import { hashSchema, type Hash } from '../../server/api/primitives';
import { sentence } from '../model/sentence';

export interface AnalysisLink {
  /** What the link does. */
  page: 'analyze' | 'debug';
  transaction: Hash;
  /** Slug of a chain or id of a fork; undefined: search for it. */
  chain?: string;
  /** Where the debugger stops first; a number is a node of the call tree. */
  stopAt?: 'entry' | 'failure' | number;
}

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Fields of each page. */
const FIELDS = { '/analyze': ['chain', 'tx'], '/debug': ['chain', 'tx', 'at'] };

/**
 * Parses a link from outside the editor. Links are untrusted: only `/analyze` and `/debug` with these fields are accepted.
 * @param query `chain=eth&tx=0x…`, still encoded
 */
export function parseAnalysisUri(path: string, query: string): AnalysisLink | { problem: string } {
  if (path !== '/analyze' && path !== '/debug') return problem('path', path, '/analyze, /debug');
  const page = path === '/analyze' ? 'analyze' : 'debug';
  const accepted = FIELDS[path];
  const fields = new URLSearchParams(query);
  const unknown = [...fields.keys()].find((name) => !accepted.includes(name));
  if (unknown !== undefined) {
    return problem('query', unknown, page === 'analyze' ? 'chain and tx' : 'chain, tx and at');
  }
  const tx = fields.get('tx');
  const hash = hashSchema.safeParse(tx);
  if (!hash.success)
    return problem('tx', tx ?? undefined, l10n.t('a transaction hash: 0x and 64 hex digits'));
  const chain = fields.get('chain');
  if (chain !== null && !SLUG.test(chain))
    return problem('chain', chain, l10n.t('the slug of a chain, or the id of a fork'));
  const at = fields.get('at');
  const stopAt = at === null ? undefined : stopOf(at);
  if (at !== null && stopAt === undefined)
    return problem('at', at, l10n.t('entry, failure, or the number of a node of the call tree'));
  return {
    page,
    transaction: hash.data,
    ...(chain !== null && { chain }),
    ...(stopAt !== undefined && { stopAt }),
  };
}

function stopOf(text: string): AnalysisLink['stopAt'] {
  if (text === 'entry' || text === 'failure') return text;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function problem(field: string, value: unknown, accepted: string): { problem: string } {
  return {
    problem: l10n.t(
      'This link cannot be opened: {0}',
      sentence(invalidField(field, value, accepted).message),
    ),
  };
}
