import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import { clientAddress, isLoopback } from '../kernel/streams/client-address';

/**
 * Limit of requests per client address and minute; undefined: no limit.
 * @param configured `limits.requestsPerMinute` of the config file
 */
export function requestLimit(host: string, configured: number | undefined): number | undefined {
  return configured ?? (isLoopback(host) ? undefined : LIMITS.requestsPerMinute);
}

/**
 * Limit of JSON-RPC calls to forks per client address and minute; undefined: no limit.
 * @param configured `limits.rpcCallsPerMinute` of the config file
 */
export function rpcCallLimit(host: string, configured: number | undefined): number | undefined {
  return configured ?? (isLoopback(host) ? undefined : LIMITS.rpcCallsPerMinute);
}

/** Rejects excess requests with `tooManyRequests` and a `Retry-After` header. */
export function createRateLimit(requestsPerMinute: number): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: requestsPerMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    keyGenerator: (request) => ipKeyGenerator(clientAddress(request) ?? ''),
    handler: (_request, _response, next) => {
      next(
        new ApiError(
          'tooManyRequests',
          `more than ${requestsPerMinute} requests per minute; try again later`,
        ),
      );
    },
  });
}
