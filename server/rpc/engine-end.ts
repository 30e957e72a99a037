import { setTimeout as delay } from 'node:timers/promises';
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
