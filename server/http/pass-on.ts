import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/errors';

const allowed = new WeakMap<IncomingMessage, (body: string) => void>();

/** @param passOn has another node serve the request */
export function allowPassingOn(request: IncomingMessage, passOn: (body: string) => void): void {
  allowed.set(request, passOn);
}

/** Passes a request on that failed because another node runs its fork by now: nothing was done. @returns whether it was passed on */
export function passOnFailed(
  request: Pick<Request, 'body'> & IncomingMessage,
  response: Response,
  error: unknown,
): boolean {
  const passOn = allowed.get(request);
  const isElsewhere = error instanceof ApiError && error.kind === 'forkElsewhere';
  if (!passOn || !isElsewhere || response.headersSent || response.destroyed) return false;
  const { body } = request as { body?: unknown };
  passOn(typeof body === 'string' ? body : '');
  return true;
}
