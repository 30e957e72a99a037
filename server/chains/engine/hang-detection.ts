import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { HttpRpcClient } from '../upstream/http-rpc-client';

export interface ProbeTiming {
  /** Time between two probes, in milliseconds. */
  everyMs: number;
  /** Deadline of a probe, in milliseconds. */
  answerMs: number;
  /** Unanswered probes in a row after which an engine counts as hanging. A single one may be caused by a suspended machine. */
  times: number;
  /** How long an engine may leave a call unanswered without using the processor, in milliseconds. */
  idleMs: number;
}

const PROBE_TIMING: ProbeTiming = { everyMs: 10_000, answerMs: 30_000, times: 4, idleMs: 10_000 };
/** Measurements of the processor time within `idleMs`. */
const MEASUREMENTS = 10;
/** Clock ticks (10 ms) of processor time that an idle engine uses for its own timers within `idleMs`. */
const OWN_TICKS = 2;

export interface HangDetectionOptions {
  /** URL of the engine. */
  url: string;
  connect?: OpenConnection | undefined;
  pid: number;
  /** Whether a call to the engine is under way that it has not begun to answer: a slow client may take long to read an answer. */
  isCalled: () => boolean;
  /** Whether the engine waits for its chain. It answers no other call then. */
  isWaiting: () => boolean;
  /** Ends the watch. */
  signal: AbortSignal;
  pulseTiming?: ProbeTiming | undefined;
}

/**
 * Watches an engine until it ends. Anvil can stop answering although its process is still running.
 * @returns when the engine hangs; rejects with the signal's reason
 */
export async function untilItHangs(options: HangDetectionOptions): Promise<void> {
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

/** Resolves when the engine does not answer a trivial call. */
async function untilSilent(options: HangDetectionOptions): Promise<void> {
  const { url, connect, isWaiting, signal, pulseTiming = PROBE_TIMING } = options;
  const { everyMs, answerMs, times } = pulseTiming;
  // A separate connection: the fork's users may occupy all others.
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

/** Resolves when a call is under way, the chain is not being read, and the process is still idle: its threads have deadlocked. */
async function untilIdle({
  pid,
  isCalled,
  isWaiting,
  signal,
  pulseTiming = PROBE_TIMING,
}: HangDetectionOptions): Promise<void> {
  let idle = 0;
  let before = 0;
  while (idle < MEASUREMENTS) {
    await delay(pulseTiming.idleMs / MEASUREMENTS, undefined, { signal, ref: false });
    if (!isCalled() || isWaiting()) {
      idle = 0;
      continue;
    }
    const now = await processorTicks(pid);
    if (now === undefined) return never(signal); // only the probes remain
    if (idle === 0 || now - before > OWN_TICKS) {
      before = now;
      idle = 1;
    } else idle++;
  }
}

/** Processor time of a process so far, in ticks of 10 ms; undefined if the system does not report it (proc(5) exists on Linux only). */
async function processorTicks(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name, in brackets, may contain spaces; fields 14 and 15 are user and system time.
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
