import type { ServerResponse } from 'node:http';
import { ApiError } from '../api/errors';
import type { OpenFork } from '../forks/forks';

/** The fork, whose refusals set the header `Retry-After` of the response where they say when to ask again. */
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
