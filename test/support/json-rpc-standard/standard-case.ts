import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { reply } from '../json-rpc';
import type { JsonRpcFixture } from './fixture';

/** A value, or a function that computes it when the request is sent. */
type Param = ((place: JsonRpcFixture) => unknown) | object | string | number | boolean | null;

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** One request, and the answer that the standard requires. */
export interface StandardCase {
  title: string;
  params: readonly Param[];
  /** The required error code. */
  error?: number;
  /** Error code of a fork's refusal, if it cannot compute the standard's answer. */
  refusal?: number;
  want?: (answer: unknown, place: JsonRpcFixture & { ask: Ask }) => Promise<boolean>;
}

export interface StandardMethod {
  method: string;
  cases: readonly StandardCase[];
}

/** Expects an answer of the given form. */
export const has = (title: string, form: z.ZodType, ...params: Param[]): StandardCase => ({
  title,
  params,
  want: (answer) => Promise.resolve(form.safeParse(answer).success),
});

/** Expects exactly this answer. */
export const equals = (title: string, expected: Param, ...params: Param[]): StandardCase => ({
  title,
  params,
  want: (answer, place) => Promise.resolve(isDeepStrictEqual(answer, found(expected, place))),
});

/** Expects an error with this code. */
export const fails = (title: string, error: number, ...params: Param[]): StandardCase => ({
  title,
  params,
  error,
});

/** Result of a case: as the standard requires, refused, or the answer that came instead. */
export type Verdict = 'ok' | 'refused' | { instead: string };

export async function judge(
  method: string,
  { params, error: wanted, refusal, want }: StandardCase,
  place: JsonRpcFixture,
): Promise<Verdict> {
  const sent = params.map((one) => found(one, place));
  const { result, error } = await reply(place.url, method, ...sent);
  const instead = { instead: JSON.stringify(error ?? result ?? null).slice(0, 300) };
  if (error) {
    if (error.code === wanted) return 'ok';
    return error.code === refusal ? 'refused' : instead;
  }
  const ask: Ask = async (other, others) => (await reply(place.url, other, ...others)).result;
  const isRight = wanted === undefined && (await want?.(result, { ...place, ask })) === true;
  return isRight ? 'ok' : instead;
}

const found = (value: unknown, place: JsonRpcFixture): unknown =>
  typeof value === 'function' ? (value as (place: JsonRpcFixture) => unknown)(place) : value;
