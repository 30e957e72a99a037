import * as l10n from '@vscode/l10n';
import type { FindRequest } from '../../../server/api/recording-search';

type HitCount = NonNullable<FindRequest['lines'][number]['hits']>;

/** Reads a hit count. @returns why it cannot be used, as `refusal`; neither field for an empty text */
export function readHits(text: string | undefined): { hits?: HitCount; refusal?: string } {
  if (text === undefined || text.trim() === '') return {};
  const [, sign = '>=', digits] = /^\s*(==|>=|>|%)?\s*([0-9]{1,9})\s*$/.exec(text) ?? [];
  const count = Number(digits ?? 0);
  if (count > 0 || (sign === '>' && digits !== undefined)) {
    if (sign === '==') return { hits: { exactly: count } };
    if (sign === '%') return { hits: { every: count } };
    return { hits: sign === '>' ? count + 1 : count };
  }
  const given = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return {
    refusal: l10n.t(
      '{0} is not a hit count; accepted: 3 or >= 3 (the third hit and later ones), > 3, == 3 (that hit alone), % 3 (each third hit), with a whole number from 1.',
      given.trim(),
    ),
  };
}

const LONGEST = 40;
