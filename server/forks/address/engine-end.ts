import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../api/errors';
import type { Engine } from '../../evm/forms/engine';

/** Time within which the end of an engine is noticed after it closed a connection. */
const EXIT_MS = 1_000;

/** Whether a request was not answered because the engine ended. */
export async function hasEnded({ exited }: Engine): Promise<boolean> {
  const late = new AbortController();
  const timeout = delay(EXIT_MS, false, { signal: late.signal }).catch(() => false);
  const ended = await Promise.race([exited.then(() => true), timeout]);
  late.abort();
  return ended;
}

/** Message of the Rust runtime when it cannot allocate memory. */
const NO_MEMORY = /^memory allocation of \d+ bytes failed/;

/**
 * Checks why an engine ended. If it lacked memory, the next engine would fail in the same way.
 * @throws ApiError engineUnavailable if the engine lacked memory
 */
export async function requireMemory({ exited }: Engine): Promise<void> {
  const { log } = await exited;
  if (!log.some((line) => NO_MEMORY.test(line))) return;
  throw new ApiError(
    'engineUnavailable',
    "the fork's engine ended: it exceeded its memory limit (engine.memoryMegabytes); request less in one call, for example with less gas or another tracer",
  );
}
