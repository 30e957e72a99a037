import { performance } from 'node:perf_hooks';

/** Time in which the event loop processed nothing else. */
export interface Stall {
  seconds: number;
  /** Processor time of the event loop's thread in it, at most `seconds`: the rest is the work of other processes and threads. */
  processorSeconds: number;
}

/** Interval of the measurement, in milliseconds. */
const TICK_MS = 20;
/** Shorter delays are those of timers. */
const LEAST_STALL_MS = 50;
/** Number of ticks after which it is checked whether the process is idle. */
const TICKS_PER_CHECK = 250;
/** Share of the time that an idle process works at most. */
const IDLE_UTILIZATION = 0.02;

/** Processor time of all threads of the process, in milliseconds. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Measures the pauses of the event loop. While the process is idle, no timer runs. */
export class StallMeter {
  #longest: Stall = { seconds: 0, processorSeconds: 0 };
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #processor = 0;
  #ticks = 0;
  #loop = performance.eventLoopUtilization();

  /**
   * @param onStall receives each pause of 50 ms or more
   * @param processorTime of the event loop's thread, in milliseconds
   */
  constructor(
    private readonly onStall: (stall: Stall) => void = () => undefined,
    private readonly processorTime = processTime,
  ) {}

  /** The longest pause and the longest processor time in one pause since the start, not necessarily of the same pause. */
  get longest(): Stall {
    return this.#longest;
  }

  /** Starts the measurement, also again after the process was idle: called for each request. */
  resume(): void {
    if (this.#timer) return;
    this.#note();
    this.#loop = performance.eventLoopUtilization();
    this.#ticks = 0;
    this.#timer = setInterval(this.#tick, TICK_MS).unref();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    return Promise.resolve();
  }

  readonly #tick = (): void => {
    const [last, processor] = [this.#last, this.#processor];
    this.#note();
    const ms = this.#last - last - TICK_MS;
    if (ms >= LEAST_STALL_MS) {
      this.#add({
        seconds: ms / 1_000,
        processorSeconds: Math.min(ms, this.#processor - processor) / 1_000,
      });
    }
    if (++this.#ticks % TICKS_PER_CHECK === 0) this.#stopIfIdle();
  };

  #note(): void {
    this.#last = performance.now();
    this.#processor = this.processorTime();
  }

  #add(stall: Stall): void {
    const { seconds, processorSeconds } = this.#longest;
    this.#longest = {
      seconds: Math.max(seconds, stall.seconds),
      processorSeconds: Math.max(processorSeconds, stall.processorSeconds),
    };
    this.onStall(stall);
  }

  #stopIfIdle(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#loop);
    this.#loop = now;
    if (utilization < IDLE_UTILIZATION) void this.stop();
  }
}
