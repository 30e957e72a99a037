import { ApiError } from '../../api/errors';
import type { OpenFork } from '../life/forks';

/** Has the node that runs the fork serve a request. @param body of the request */
export type PassOn = (body: string) => void;

/**
 * Wraps a fork: `hasMoved` tells whether a call was refused because the fork runs on another node, before any call began.
 * Such a request can be sent again.
 */
export function watchMoves(fork: OpenFork): { fork: OpenFork; hasMoved: () => boolean } {
  let hasBegun = false;
  let isRefused = false;
  const watched: OpenFork = {
    ...fork,
    use: async (task) => {
      try {
        return await fork.use((awake) => {
          hasBegun = true;
          return task(awake);
        });
      } catch (error) {
        if (error instanceof ApiError && error.kind === 'forkElsewhere') isRefused = true;
        throw error;
      }
    },
  };
  return { fork: watched, hasMoved: () => isRefused && !hasBegun };
}
