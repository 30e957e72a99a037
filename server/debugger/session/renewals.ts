import { setTimeout as delay } from 'node:timers/promises';
import { LIMITS } from '../../api/limits';
import { timeoutSignal } from '../../api/timeout-signal';
import type { ProgramSource } from '../../contracts/sources/program-source';
import type { DebuggedTransaction } from './debugged-transaction';
import type { ExecutionSource } from './ports';

/** Time that a request waits for new sources, in milliseconds: a later one gets them, and stepping stays quick. */
const PATIENCE_MS = 250;
const UNREFERENCED = { ref: false };

/** Gives kept recordings the sources that became known since they were made, without another execution. */
export class Renewals {
  readonly #running = new WeakMap<DebuggedTransaction, Promise<DebuggedTransaction>>();

  constructor(
    private readonly ports: {
      readonly executions: Pick<ExecutionSource, 'identified'>;
      readonly programs: ProgramSource;
    },
  ) {}

  /**
   * A recording with the sources that are known now; the same one if there are no others, or if the search for them takes long. Never rejects.
   * @param onRenewed receives another one, also after the answer
   */
  async current(
    debugged: DebuggedTransaction,
    onRenewed: (renewed: DebuggedTransaction) => void,
  ): Promise<DebuggedTransaction> {
    const running = this.#running.get(debugged) ?? this.#renew(debugged, onRenewed);
    this.#running.set(debugged, running);
    return Promise.race([running, delay(PATIENCE_MS, debugged, UNREFERENCED)]);
  }

  async #renew(
    debugged: DebuggedTransaction,
    onRenewed: (renewed: DebuggedTransaction) => void,
  ): Promise<DebuggedTransaction> {
    const { executions, programs } = this.ports;
    const signal = timeoutSignal(LIMITS.recordingTime);
    try {
      if (!(await debugged.isOutdated(programs, signal))) return debugged;
      const located = await executions.identified(debugged.recorded.located, signal);
      const renewed = await debugged.renewed(located, programs, signal);
      onRenewed(renewed);
      return renewed;
    } catch {
      return debugged;
    } finally {
      this.#running.delete(debugged);
    }
  }
}
