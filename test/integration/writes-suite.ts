import assert from 'node:assert/strict';
import type { Engine } from '../../server/evm/forms/engine';
import type { RpcCall, RpcClient } from '../../server/evm/forms/json-rpc';
import { ForkFeed, type Follower } from '../../server/forks/writes/fork-feed';
import { ForkWriter } from '../../server/forks/writes/fork-writer';
import { History } from '../../server/forks/writes/history';
import type { JournalContents, JournalEntry } from '../../server/forks/writes/journal';
import { JournalQuota, type JournalLimits } from '../../server/forks/writes/journal-quota';
import { ALICE, BOB, TestChain, testEngines, type TestEngines } from './fork-upstream';

/** Time of block 0, at which the fork starts. */
export const GENESIS = 1_749_999_988;
/** Wall clock of the tests, seconds: 2025-06-20. */
const WALL = 1_750_377_600;
export const DEFAULT = 'default snapshot';
export const [FROM, TO] = [ALICE.address.toLowerCase(), BOB.address.toLowerCase()];
/** Has no ether. */
export const CAROL = `0x${'ca'.repeat(20)}`;

/** The writing side of a fork on an engine of its own, with a journal in memory. */
export class TestWriter {
  readonly entries: JournalEntry[] = [];
  readonly events: string[] = [];
  timers: { ms: number; fire: () => void }[] = [];
  readonly failures: unknown[] = [];
  readonly rewritten: JournalContents[] = [];
  readonly history: History;
  /** Reads blocks like a subscription. */
  readonly follower: Follower = {
    position: 0,
    sent: undefined,
    bytes: 0,
    onNews: () => this.events.push('mined'),
  };
  /** Transactions that each recorded entry executed. */
  readonly counted: number[] = [];
  /** Number of messages to the engine. */
  messages = 0;
  /** Called before the engine mines. */
  onMine: (() => Promise<unknown>) | undefined;
  canRewrite = true;
  /** Error of the disk. */
  writeError: Error | undefined;
  abandoned = 0;
  seconds = WALL;
  writer!: ForkWriter;

  private constructor(
    private readonly engines: TestEngines,
    readonly engine: Engine,
    contents: JournalContents | undefined,
  ) {
    this.history = new History(DEFAULT, contents);
  }

  static async start(
    engines: TestEngines,
    contents?: JournalContents,
    limits: JournalLimits = { bytes: 2 ** 20, entries: 10_000 },
  ): Promise<TestWriter> {
    const { engine } = await TestChain.start(engines.start);
    await engine.rpc.request('anvil_autoImpersonateAccount', [true]);
    const test = new TestWriter(engines, engine, contents);
    const feed = new ForkFeed();
    feed.follow(test.follower);
    feed.follow({ position: 0, sent: 0, bytes: 0, onNews: () => test.events.push('sent') });
    test.writer = await ForkWriter.start({
      engine: test.#rpc(),
      hardfork: 'prague',
      maxGas: undefined,
      snapshotId: DEFAULT,
      history: test.history,
      quota: new JournalQuota(limits, { bytes: 0 }, test.history),
      feed,
      now: () => test.seconds * 1000 + 999,
      after: (ms, fire) => {
        const cancel = (): void => {
          test.timers = test.timers.filter((one) => one !== timer);
        };
        const timer = {
          ms,
          fire: () => {
            cancel();
            fire();
          },
        };
        test.timers.push(timer);
        return cancel;
      },
      onMiningFailed: (error) => test.failures.push(error),
      append: (entry) => {
        if (test.writeError) return Promise.reject(test.writeError);
        test.entries.push(entry);
        return Promise.resolve(entry);
      },
      onRecorded: ({ executed }) => {
        if (executed) test.counted.push(executed.count);
      },
      rewrite: (written) => {
        if (test.canRewrite) test.rewritten.push(written);
        return Promise.resolve(test.canRewrite);
      },
      abandon: async () => {
        test.abandoned++;
        await engine.stop();
      },
    });
    return test;
  }

  #rpc(): RpcClient {
    const { rpc } = this.engine;
    return {
      request: (method, params, options) => {
        this.messages++;
        return rpc.request(method, params, options);
      },
      requestAll: async (calls, options) => {
        this.messages++;
        if (calls.some(({ method }) => method === 'evm_mine_detailed')) await this.onMine?.();
        return rpc.requestAll(calls, options);
      },
    };
  }

  ask<T>(method: string, ...params: unknown[]): Promise<T> {
    return this.engine.rpc.request(method, params) as Promise<T>;
  }

  block(number: string | number): Promise<Record<string, string>> {
    const at = typeof number === 'number' ? `0x${number.toString(16)}` : number;
    return this.ask('eth_getBlockByNumber', at, false);
  }

  pay(facts: Record<string, unknown> = {}): Promise<string[]> {
    return this.writer.send([payment(facts)]);
  }

  async pooled(): Promise<number> {
    const { pending, queued } = await this.ask<Record<string, string>>('txpool_status');
    return Number(pending) + Number(queued);
  }

  /** Executes the journal on a new engine. Both have the same newest block and the same next one. */
  async rebuilt(): Promise<TestWriter> {
    const { writer } = this;
    const again = await TestWriter.start(this.engines, this.history.compacted());
    again.seconds = this.seconds;
    assert.deepEqual(again.writer.blocks, writer.blocks);
    for (const number of ['latest', 'pending']) {
      const [now, then] = [await this.block(number), await again.block(number)];
      assert.equal(then['number'], now['number']);
      assert.equal(then['baseFeePerGas'], now['baseFeePerGas']);
      if (number === 'latest') assert.equal(then['hash'], now['hash']);
    }
    assert.deepEqual(
      [again.writer.automine, again.writer.interval, again.writer.impersonated, again.writer.named],
      [writer.automine, writer.interval, writer.impersonated, writer.named],
    );
    return again;
  }
}

export const payment = (facts: Record<string, unknown> = {}): RpcCall => ({
  method: 'eth_sendTransaction',
  params: [{ from: FROM, to: TO, value: '0x1', ...facts }],
});

/** A writer on a new engine for each test of a suite. */
export class WritesSuite {
  engines!: TestEngines;
  test!: TestWriter;

  get writer(): ForkWriter {
    return this.test.writer;
  }

  /** Continues the test with a new writer on another engine. */
  async restart(limits?: JournalLimits): Promise<void> {
    await this.test.engine.stop();
    this.test = await TestWriter.start(this.engines, undefined, limits);
  }
}

/** Registers the hooks of a test suite on the writing side of a fork. */
export function useWriter(): WritesSuite {
  const suite = new WritesSuite();
  before(async () => {
    suite.engines = await testEngines();
  });
  beforeEach(async () => {
    suite.test = await TestWriter.start(suite.engines);
  });
  afterEach(async () => {
    await suite.test.engine.stop();
  });
  after(() => suite.engines.close());
  return suite;
}
