import type { ServerResponse } from 'node:http';
import { ApiError } from '../../api/errors';
import type { OpenFork } from '../life/forks';

/** Wraps a fork: if it refuses a call and says when to ask again, the response gets the header `Retry-After`. */
export function withRetryAfter(fork: OpenFork, response: ServerResponse): OpenFork {
  return {
    ...fork,
    use: async (task) => {
      try {
        return await fork.use(task);
      } catch (error) {
        if (error instanceof ApiError && error.retryAfter !== undefined && !response.headersSent) {
          response.setHeader('retry-after', error.retryAfter);
        }
        throw error;
      }
    },
  };
}
