import type { Config } from '../api/config';
import { LIMITS } from '../api/limits';
import type { AwakeForksOptions } from '../forks/life/awake-forks';

/** How forks share the engines of the machine, by the wall clock. */
export const engineTurns = ({
  maxRunning,
  idleMinutes,
  maxWaiting,
  maxWaitSeconds,
}: Config['engine']): AwakeForksOptions => ({
  maxRunning,
  maxWaiting,
  idleMs: idleMinutes * 60_000,
  maxWaitMs: maxWaitSeconds * 1000,
  sliceMs: LIMITS.engineTurn,
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
});
