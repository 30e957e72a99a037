import type { Config } from '../api/config';
import { LIMITS } from '../api/limits';
import type { EnginePoolOptions } from '../forks/life/engine-pool';

/** How forks share the engines of the machine, by the wall clock. */
export const engineTurns = ({
  maxRunning,
  idleMinutes,
  maxWaiting,
  maxWaitSeconds,
}: Config['engine']): EnginePoolOptions => ({
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
