import * as l10n from '@vscode/l10n';
import { invalidField } from '../../server/api/errors';
import { hashSchema, type Hash } from '../../server/api/primitives';
import { sentence } from '../model/errors';

export interface AnalysisLink {
  transaction: Hash;
  /** Slug of a chain or id of a fork; undefined: search for it. */
  chain?: string;
}

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Parses a link from outside the editor. Links are untrusted: only `/analyze` with these two fields is accepted.
 * @param query `chain=eth&tx=0x…`, still encoded
 */
export function parseAnalysisUri(path: string, query: string): AnalysisLink | { problem: string } {
  if (path !== '/analyze') return problem('path', path, '/analyze');
  const fields = new URLSearchParams(query);
  const unknown = [...fields.keys()].find((name) => name !== 'chain' && name !== 'tx');
  if (unknown !== undefined) return problem('query', unknown, 'chain and tx');
  const tx = fields.get('tx');
  const hash = hashSchema.safeParse(tx);
  if (!hash.success)
    return problem('tx', tx ?? undefined, l10n.t('a transaction hash: 0x and 64 hex digits'));
  const chain = fields.get('chain');
  if (chain === null) return { transaction: hash.data };
  if (!SLUG.test(chain))
    return problem('chain', chain, l10n.t('the slug of a chain, or the id of a fork'));
  return { transaction: hash.data, chain };
}

function problem(field: string, value: unknown, accepted: string): { problem: string } {
  return {
    problem: l10n.t(
      'This link cannot be opened: {0}',
      sentence(invalidField(field, value, accepted).message),
    ),
  };
}
