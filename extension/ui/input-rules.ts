import * as l10n from '@vscode/l10n';
import { parseBlockReference } from '../../server/api/chain-block';
import { addressSchema, hashSchema, nameSchema, type Hash } from '../../server/api/primitives';
import { withoutSeparators } from '../../server/client/amounts';

/** Describes what is wrong with the name of a project or fork; undefined for a valid name. */
export function nameProblem(text: string): string | undefined {
  const issue = nameSchema.safeParse(text).error?.issues[0];
  return issue === undefined ? undefined : l10n.t('The name must be {0}.', issue.message);
}

export const heightProblem = (text: string): string | undefined =>
  parseBlockReference(withoutSeparators(text)) === undefined
    ? l10n.t(
        'Enter safe, a block number such as 19,000,123, a time such as 2024-01-13 11:20, or a transaction hash.',
      )
    : undefined;

/** @returns null for an empty field (the state after the whole block), undefined for an invalid position */
export function parsePosition(text: string): number | null | undefined {
  const value = text.trim();
  if (value === '') return null;
  const position = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

/** @param count number of transactions in the block */
export function positionProblem(text: string, count: number): string | undefined {
  const position = parsePosition(text);
  if (position === null || (position !== undefined && position <= count)) return undefined;
  return l10n.t(
    'Enter 0 to {0}: how many transactions of the block are applied. Leave it empty for all.',
    count,
  );
}

export const hashProblem = (text: string): string | undefined =>
  hashSchema.safeParse(text.trim()).success
    ? undefined
    : l10n.t('A transaction hash is 0x and 64 hex digits.');

export const addressProblem = (text: string): string | undefined =>
  addressSchema.safeParse(text.trim()).success
    ? undefined
    : l10n.t('An address is 0x and 40 hex digits.');

/** The first transaction hash in a text, such as a selection or a block explorer's link. */
export function findHash(text: string): Hash | undefined {
  return /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-f])/i.exec(text)?.[0].toLowerCase() as
    Hash | undefined;
}
