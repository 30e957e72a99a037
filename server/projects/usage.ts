import type { ProjectDetail } from '../api/project';
import type { Clock, ForkExecutions, UsageStore } from './ports';

/** Counts the transactions that users execute on the forks of a project, by UTC day. */
export class UsageStatistics {
  readonly #store: UsageStore;
  readonly #clock: Clock;

  constructor(store: UsageStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async record(projectId: string, executions: ForkExecutions): Promise<void> {
    await this.#store.addUsage(projectId, executions);
  }

  /** Sums of today and of this month, in the form of the interface's `stats`. */
  async of(projectId: string): Promise<ProjectDetail['stats']> {
    const today = this.#today();
    const firstOfMonth = `${today.slice(0, 8)}01`;
    const [dailyTransactionQuantity, monthlyTransactionQuantity] = await Promise.all([
      this.#store.sumUsage(projectId, today, today),
      this.#store.sumUsage(projectId, firstOfMonth, today),
    ]);
    return { dailyTransactionQuantity, monthlyTransactionQuantity };
  }

  #today(): string {
    return this.#clock().toISOString().slice(0, 10);
  }
}
