import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenConnection } from '../ethereum/engine';
import { HttpRpcClient } from '../rpc/http-rpc-client';

export interface Patience {
  /** Between two questions, in milliseconds. */
  everyMs: number;
  /** For an answer, in milliseconds. */
  answerMs: number;
  /** Unanswered questions in a row after which an engine hangs. One may be the machine's: it slept. */
  times: number;
  /** How long an engine may leave a call unanswered without using the processor, in milliseconds. */
  idleMs: number;
}

const PATIENCE: Patience = { everyMs: 10_000, answerMs: 30_000, times: 4, idleMs: 10_000 };
/** Looks at the processor time within `idleMs`. */
const LOOKS = 10;
/** Ticks of the processor's clock (10 ms) that an engine uses for its own timers in that time. */
const OWN_TICKS = 2;

export interface PulseOptions {
  /** Of the engine. */
  url: string;
  connect?: OpenConnection | undefined;
  pid: number;
  /** Whether a call to the engine is under way whose answer has not begun: a slow client may take long to read one. */
  isCalled: () => boolean;
  /** Its chain keeps it waiting: an engine that waits for that answers nothing else either. */
  isWaiting: () => boolean;
  /** Ends the watch. */
  signal: AbortSignal;
  patience?: Patience | undefined;
}

/**
 * Watches an engine for as long as it lives. Anvil can stop answering, though its process goes on.
 * @returns once the engine hangs; rejects with the signal's reason
 */
export async function untilItHangs(options: PulseOptions): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  try {
    await Promise.race([untilSilent({ ...options, signal }), untilIdle({ ...options, signal })]);
  } catch (error) {
    options.signal.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
  }
}

/** It does not answer a question that needs nothing. */
async function untilSilent(options: PulseOptions): Promise<void> {
  const { url, connect, isWaiting, signal, patience = PATIENCE } = options;
  const { everyMs, answerMs, times } = patience;
  // A connection of its own: those of the fork's users may all be taken.
  const rpc = new HttpRpcClient({ name: 'the engine', urls: [url], rounds: 1, connect });
  try {
    let unanswered = 0;
    while (unanswered < times) {
      await delay(everyMs, undefined, { signal, ref: false });
      const answer = rpc.request('web3_clientVersion', [], { signal, timeoutMs: answerMs });
      const isThere = await answer.then(
        () => true,
        () => isWaiting(),
      );
      signal.throwIfAborted();
      unanswered = isThere ? 0 : unanswered + 1;
    }
  } finally {
    await rpc.close();
  }
}

/** A call is under way, the chain is not asked for anything, and yet the process does nothing: its threads wait for each other. */
async function untilIdle({
  pid,
  isCalled,
  isWaiting,
  signal,
  patience = PATIENCE,
}: PulseOptions): Promise<void> {
  let idle = 0;
  let before = 0;
  while (idle < LOOKS) {
    await delay(patience.idleMs / LOOKS, undefined, { signal, ref: false });
    if (!isCalled() || isWaiting()) {
      idle = 0;
      continue;
    }
    const now = await processorTicks(pid);
    if (now === undefined) return never(signal); // the questions have to do
    if (idle === 0 || now - before > OWN_TICKS) {
      before = now;
      idle = 1;
    } else idle++;
  }
}

/** Processor time of a process so far, in ticks of 10 ms; undefined where the system does not tell (proc(5) is Linux's). */
async function processorTicks(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name, in brackets, may hold spaces; fields 14 and 15 are user and system time.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields?.[11], fields?.[12]].map(Number);
  return Number.isFinite(user) && Number.isFinite(system) ? (user ?? 0) + (system ?? 0) : undefined;
}

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
