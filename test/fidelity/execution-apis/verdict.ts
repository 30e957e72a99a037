import { isDeepStrictEqual } from 'node:util';
import type { RpcReply } from '../../support/json-rpc';
import { isAllowed, isRefusal } from './rules';
import type { CheckResult } from './schemas';

/**
 * `equal`: the recorded answer; for an error its code, since each client has its own messages. `valid`: other values that the schema and
 * a rule allow. `refused`: a deliberate error. `wrong`: anything else.
 */
export const VERDICTS = ['equal', 'valid', 'refused', 'wrong'] as const;
export type OfficialVerdict = (typeof VERDICTS)[number];

export interface Judged {
  verdict: OfficialVerdict;
  /** Paths that differ, or why the answer is wrong. */
  why?: string;
}

interface Asked {
  method: string;
  /** Name of the case. */
  name: string;
  isSchemaOnly: boolean;
  recorded: RpcReply;
  reply: RpcReply;
}

/** @param strict whether other values require a rule, and an error counts as a refusal only by a rule */
export function judgeReply(asked: Asked, check: CheckResult, strict: boolean): Judged {
  const { method, name, isSchemaOnly, recorded, reply } = asked;
  const { error } = reply;
  if (recorded.error !== undefined) {
    const instead = JSON.stringify(error ?? reply.result ?? null).slice(0, 300);
    const wanted = `expected error ${recorded.error.code}, answered ${instead}`;
    return error?.code === recorded.error.code ? { verdict: 'equal' } : refusedOr(wanted);
  }
  if (error !== undefined) return refusedOr(`${error.code} ${error.message}`);
  if (isDeepStrictEqual(reply.result, recorded.result)) return { verdict: 'equal' };
  const invalid = check(method, reply.result);
  if (invalid !== undefined) return { verdict: 'wrong', why: invalid };
  const places = [...new Set(differences(recorded.result, reply.result))];
  const why = places.join(', ');
  const open = isSchemaOnly || !strict || places.every((place) => isAllowed(method, name, place));
  return { verdict: open ? 'valid' : 'wrong', why };

  function refusedOr(why: string): Judged {
    const refused = strict && error !== undefined && isRefusal(method, name, error.code);
    return { verdict: refused ? 'refused' : 'wrong', why };
  }
}

/** Paths that differ, such as `*.calls.*.gasUsed`; items of lists of the same length are compared one by one. */
function differences(one: unknown, other: unknown, place = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isObject(one) || !isObject(other)) return [place];
  const isList = Array.isArray(one);
  if (isList !== Array.isArray(other)) return [place];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  if (isList && keys.length > Math.min(Object.keys(one).length, Object.keys(other).length)) {
    return [place];
  }
  const below = (key: string): string =>
    [...(place === '' ? [] : [place]), isList ? '*' : key].join('.');
  return keys.flatMap((key) => differences(one[key], other[key], below(key)));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
