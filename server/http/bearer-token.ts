import type { Request } from 'express';
import { timingSafeEqual } from 'node:crypto';

/** Whether a request has the header `Authorization: Bearer <token>`. The time of the comparison says nothing about the token. */
export function hasBearerToken(request: Pick<Request, 'get'>, token: string): boolean {
  const given = Buffer.from(request.get('Authorization') ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
