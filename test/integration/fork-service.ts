import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { JournalFiles } from '../../server/store/journal/journal-folder';
import type { ForkChange } from '../../server/api/changes';
import type { Chain } from '../../server/api/config';
import { ApiError, type ApiErrorName } from '../../server/api/errors';
import { createForkBody, type Fork } from '../../server/api/fork';
import { ChainRegistry } from '../../server/chains/registry/chain-registry';
import type { Engine, EngineParameters, StartEngine } from '../../server/evm/forms/engine';
import { EnginePool, type EnginePoolOptions } from '../../server/forks/life/engine-pool';
import type { ForkRecord } from '../../server/forks/life/fork-record';
import { Forks } from '../../server/forks/life/forks';
import type { JournalLimits } from '../../server/forks/writes/journal-quota';
import { ChainClients } from '../../server/chains/upstream/chain-clients';
import { ForkProxy } from '../../server/forks/address/fork-proxy';
import { UpstreamGateway } from '../../server/chains/upstream/upstream-gateway';
import { Executions } from '../../server/execution/engines/executions';
import { RuleSource } from '../../server/evm/rules/rule-source';
import { originalTracer } from '../../server/composition/trace-services';
import type { TestEngines } from './fork-upstream';

export const PROJECT = 'project_1';

export interface TestForksOptions {
  /** The records of an earlier run. */
  records?: Map<string, ForkRecord>;
  engines?: Partial<EnginePoolOptions>;
  journalLimits?: Partial<JournalLimits>;
  openFile?: ConstructorParameters<typeof JournalFiles>[2];
  pingMs?: number;
}

/** The fork modules composed as in the service, with real engines and with records in memory. */
export class TestForks {
  forks!: Forks;
  readonly records: Map<string, ForkRecord>;
  readonly counted: [string, number][] = [];
  readonly changes: ForkChange[] = [];
  readonly warnings: string[] = [];
  readonly internal: unknown[] = [];
  /** Number of calls over WebSockets. */
  socketCalls = 0;
  readonly started: { parameters: EngineParameters; engine: Engine }[] = [];
  readonly #options: Omit<TestForksOptions, 'records'>;
  readonly #clients = new ChainClients();
  readonly #gateway = new UpstreamGateway((error) => this.internal.push(error));
  #proxy!: ForkProxy;
  #server = createServer();
  origin = '';
  /** Called after an engine has started. */
  afterStart?: () => void;

  private constructor(
    private readonly engines: Pick<TestEngines, 'start' | 'home'>,
    private readonly chain: Chain,
    { records = new Map(), ...options }: TestForksOptions,
  ) {
    this.records = records;
    this.#options = options;
  }

  static async open(
    engines: Pick<TestEngines, 'start' | 'home'>,
    chain: Chain,
    options: TestForksOptions = {},
  ): Promise<TestForks> {
    const all = new TestForks(engines, chain, options);
    await all.#open();
    return all;
  }

  async #open(): Promise<void> {
    const { records } = this;
    const chains = new ChainRegistry([this.chain], []);
    const upstreamOf = (chain: Chain) => this.#clients.of(chain);
    const startEngine: StartEngine = async (parameters, signal) => {
      const engine = await this.engines.start(parameters, signal);
      this.started.push({ parameters, engine });
      this.afterStart?.();
      return engine;
    };
    const { engines, journalLimits, openFile } = this.#options;
    const rules = new RuleSource();
    this.forks = await Forks.open({
      store: {
        list: () => Promise.resolve([...records.values()]),
        put: (id, record) => Promise.resolve(void records.set(id, record)),
        setSecret: (id, secret) => {
          const record = records.get(id);
          if (record) records.set(id, { ...record, secret });
          return Promise.resolve(record !== undefined);
        },
        delete: (id) => Promise.resolve(void records.delete(id)),
      },
      journals: new JournalFiles(
        join(this.engines.home, 'forks'),
        (_, message) => this.warnings.push(message),
        openFile,
      ),
      chains,
      upstreamOf,
      rules,
      openUpstream: (point) => this.#gateway.open(point),
      startEngine,
      traceOriginal: originalTracer({
        rules,
        gateway: this.#gateway,
        startEngine,
        upstreamOf,
        executions: new Executions(),
      }),
      countTransactions: ({ projectId }, { count }) => {
        this.counted.push([projectId, count]);
        return Promise.resolve();
      },
      journalLimits: { bytes: 2 ** 30, entries: 250_000, ...journalLimits },
      pool: new EnginePool({
        maxRunning: 8,
        idleMs: 900_000,
        now: () => 0,
        after: () => () => undefined,
        maxWaiting: 64,
        maxWaitMs: 30_000,
        sliceMs: 2_000,
        ...engines,
      }),
      rpcUrl: (secret) => `${this.origin}/rpc/${secret}`,
      onChange: (change) => this.changes.push(change),
      clock: () => new Date(),
      log: { warn: (_, message) => this.warnings.push(message) },
    });
    const proxy = new ForkProxy({
      forks: this.forks,
      onInternal: (error) => this.internal.push(error),
      maxBodyBytes: 1_000_000,
      pingMs: this.#options.pingMs,
      onSocketCall: () => this.socketCalls++,
    });
    this.#proxy = proxy;
    this.#server.on('request', (request, response) => {
      proxy.handle(request, response);
    });
    this.#server.on('upgrade', (request, socket, head) => {
      proxy.handleUpgrade(request, socket, head);
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  create(body: Record<string, unknown>, signal = new AbortController().signal): Promise<Fork> {
    const parsed = createForkBody.parse({ chainId: this.chain.chainId, name: 'test', ...body });
    return this.forks.create(PROJECT, parsed, { signal });
  }

  /** The engine that was started last. */
  get engine(): Engine {
    const last = this.started.at(-1);
    assert.ok(last);
    return last.engine;
  }

  async close(): Promise<void> {
    await this.#proxy.close();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
    await this.forks.stop();
    await this.#gateway.close();
    await this.#clients.close();
    assert.deepEqual(this.internal, []);
  }
}

/** For assert.rejects: an ApiError of this kind with a matching message. */
export const isKind =
  (kind: ApiErrorName, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };
