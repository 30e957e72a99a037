import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { reply } from '../json-rpc';
import type { Place } from './place';

/** A value, or how to find it where the request is sent. */
type Param = ((place: Place) => unknown) | object | string | number | boolean | null;

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** One request, and what the standard wants of its answer. */
export interface StandardCase {
  title: string;
  params: readonly Param[];
  /** Code of the error that is wanted. */
  error?: number;
  /** Error code of a fork's refusal where it cannot know the standard's answer. */
  refusal?: number;
  want?: (answer: unknown, place: Place & { ask: Ask }) => Promise<boolean>;
}

export interface StandardMethod {
  method: string;
  cases: readonly StandardCase[];
}

/** An answer of a form. */
export const has = (title: string, form: z.ZodType, ...params: Param[]): StandardCase => ({
  title,
  params,
  want: (answer) => Promise.resolve(form.safeParse(answer).success),
});

/** One answer and no other. */
export const equals = (title: string, expected: Param, ...params: Param[]): StandardCase => ({
  title,
  params,
  want: (answer, place) => Promise.resolve(isDeepStrictEqual(answer, found(expected, place))),
});

/** An error of a code. */
export const fails = (title: string, error: number, ...params: Param[]): StandardCase => ({
  title,
  params,
  error,
});

/** What came of a case: as the standard wants it, refused, or what came instead. */
export type Verdict = 'ok' | 'refused' | { instead: string };

export async function judge(
  method: string,
  { params, error: wanted, refusal, want }: StandardCase,
  place: Place,
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

const found = (value: unknown, place: Place): unknown =>
  typeof value === 'function' ? (value as (place: Place) => unknown)(place) : value;
