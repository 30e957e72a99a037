import { EnginePool } from '../../../../server/forks/life/engine-pool';
import type { PoolMember } from '../../../../server/forks/life/engine-queue';
import { TestClock } from '../../../support/test-clock';

export const IDLE_MS = 1_000;
export const SLICE_MS = 2_000;
export const { signal } = new AbortController();

/** A member of a pool. When put to sleep, it ends with its last request. */
export class Member implements PoolMember {
  requests = 0;
  #isLeaving = false;

  constructor(
    private readonly name: string,
    private readonly pool: EnginePool,
    private readonly slept: string[],
  ) {}

  sleep(): Promise<void> {
    this.#isLeaving = true;
    this.#end();
    return Promise.resolve();
  }

  /** Ends a request. */
  answer(): void {
    this.requests--;
    this.pool.used(this);
    this.#end();
  }

  #end(): void {
    if (!this.#isLeaving || this.requests > 0) return;
    this.slept.push(this.name);
    this.pool.leave(this);
  }
}

interface TestPool {
  clock: TestClock;
  pool: EnginePool;
  /** Names of the members that were put to sleep, in order. */
  slept: string[];
  member: (name: string) => Member;
  enter: (...members: PoolMember[]) => Promise<void>;
  /** Waits for a place; the member is busy from then on. */
  queue: (one: Member) => Promise<void>;
}

/** A pool of two places for three waiting members, on a clock of the test. */
export function testPool(): TestPool {
  const clock = new TestClock();
  const slept: string[] = [];
  const pool = new EnginePool({
    maxRunning: 2,
    idleMs: IDLE_MS,
    maxWaiting: 3,
    maxWaitMs: 30_000,
    sliceMs: SLICE_MS,
    now: () => clock.now,
    after: clock.after,
  });
  const admit = async (one: PoolMember): Promise<void> => {
    await pool.enter(one, { signal });
    pool.awake(one);
  };
  return {
    clock,
    pool,
    slept,
    member: (name) => new Member(name, pool, slept),
    enter: async (...members) => {
      for (const one of members) {
        await admit(one);
        pool.used(one);
      }
    },
    queue: (one) => {
      one.requests = 1;
      return admit(one);
    },
  };
}

/** Whether a promise settles without further events. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise(setImmediate);
  return settled;
}
