import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../api/errors';
import type { Engine } from '../ethereum/engine';

/** For an engine that closed a connection to be seen to have ended. */
const EXIT_MS = 1_000;

/** Whether a request went unanswered because the engine ended. */
export async function hasEnded({ exited }: Engine): Promise<boolean> {
  const late = new AbortController();
  const timeout = delay(EXIT_MS, false, { signal: late.signal }).catch(() => false);
  const ended = await Promise.race([exited.then(() => true), timeout]);
  late.abort();
  return ended;
}

/** What Rust says when it cannot allocate. */
const NO_MEMORY = /^memory allocation of \d+ bytes failed/;

/**
 * Of an engine that has ended: the next one would end for the same reason.
 * @throws ApiError engineUnavailable where it was for want of memory
 */
export async function requireMemory({ exited }: Engine): Promise<void> {
  const { log } = await exited;
  if (!log.some((line) => NO_MEMORY.test(line))) return;
  throw new ApiError(
    'engineUnavailable',
    "the fork's engine ended: it needed more memory than it may have (engine.memoryMegabytes); ask for less in one call, as by less gas or another tracer",
  );
}
