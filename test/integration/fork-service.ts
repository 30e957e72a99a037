import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { JournalFiles } from '../../server/anvil/journal-file';
import type { ForkChange } from '../../server/api/changes';
import { ApiError, type ApiErrorName } from '../../server/api/errors';
import { createForkBody, type Fork } from '../../server/api/fork';
import type { Chain } from '../../server/api/config';
import { ChainRegistry } from '../../server/chains/chain-registry';
import type { Engine, EngineParameters, StartEngine } from '../../server/ethereum/engine';
import type { EnginePoolOptions } from '../../server/forks/engine-pool';
import type { ForkRecord } from '../../server/forks/fork-record';
import { Forks } from '../../server/forks/forks';
import { ChainClients } from '../../server/rpc/chain-clients';
import { ForkProxy } from '../../server/rpc/fork-proxy';
import { UpstreamGateway } from '../../server/rpc/upstream-gateway';
import { originalTracer } from '../../server/trace-services';
import { ALICE, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

export const PROJECT = 'project_1';

export interface RpcReply {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export interface TestForksOptions {
  /** Those of an earlier run. */
  records?: Map<string, ForkRecord>;
  engines?: Partial<EnginePoolOptions>;
  openFile?: ConstructorParameters<typeof JournalFiles>[2];
}

/** The fork rooms put together as the service does, over real engines, with records in memory. */
export class TestForks {
  forks!: Forks;
  readonly records: Map<string, ForkRecord>;
  readonly counted: [string, number][] = [];
  readonly changes: ForkChange[] = [];
  readonly warnings: string[] = [];
  readonly internal: unknown[] = [];
  readonly started: { parameters: EngineParameters; engine: Engine }[] = [];
  readonly #options: Omit<TestForksOptions, 'records'>;
  readonly #clients = new ChainClients();
  readonly #gateway = new UpstreamGateway((error) => this.internal.push(error));
  #proxy!: ForkProxy;
  #server = createServer();
  origin = '';
  /** Called when an engine has started. */
  afterStart?: () => void;

  private constructor(
    private readonly start: StartEngine,
    private readonly home: string,
    private readonly chain: Chain,
    { records = new Map(), ...options }: TestForksOptions,
  ) {
    this.records = records;
    this.#options = options;
  }

  static async open(
    start: StartEngine,
    home: string,
    chain: Chain,
    options: TestForksOptions = {},
  ): Promise<TestForks> {
    const all = new TestForks(start, home, chain, options);
    await all.#open();
    return all;
  }

  async #open(): Promise<void> {
    const { records } = this;
    const chains = new ChainRegistry([this.chain], []);
    const upstreamOf = (chain: Chain) => this.#clients.of(chain);
    const startEngine: StartEngine = async (parameters, signal) => {
      const engine = await this.start(parameters, signal);
      this.started.push({ parameters, engine });
      this.afterStart?.();
      return engine;
    };
    const { engines, openFile } = this.#options;
    this.forks = new Forks({
      store: {
        list: () => [...records.values()],
        put: (id, record) => Promise.resolve(void records.set(id, record)),
        delete: (id) => Promise.resolve(void records.delete(id)),
      },
      journals: new JournalFiles(
        join(this.home, 'forks'),
        (_, message) => this.warnings.push(message),
        openFile,
      ),
      chains,
      upstreamOf,
      openUpstream: (point) => this.#gateway.open(point),
      startEngine,
      traceOriginal: originalTracer({ chains, gateway: this.#gateway, startEngine, upstreamOf }),
      countTransactions: ({ projectId }, { count }) => {
        this.counted.push([projectId, count]);
        return Promise.resolve();
      },
      engines: {
        ...{ maxRunning: 8, idleMs: 900_000, now: () => 0, after: () => () => undefined },
        ...engines,
      },
      rpcUrl: (secret) => `${this.origin}/rpc/${secret}`,
      onChange: (change) => this.changes.push(change),
      clock: () => new Date(),
      log: { warn: (_, message) => this.warnings.push(message) },
    });
    const proxy = new ForkProxy({
      forks: this.forks,
      onInternal: (error) => this.internal.push(error),
      maxBodyBytes: 1_000_000,
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

/** For assert.rejects: an ApiError of this kind, with such a message. */
export const isKind =
  (kind: ApiErrorName, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };

/** One JSON-RPC request over HTTP, as any client sends it. */
export async function reply(url: string, method: string, ...params: unknown[]): Promise<RpcReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await post(url, body)) as RpcReply;
}

export async function post(url: string, body: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.json();
}

/** The result; an error fails the test. */
export async function call<T = string>(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<T> {
  const { result, error } = await reply(url, method, ...params);
  assert.equal(error, undefined, `${method}: ${error?.message ?? ''}`);
  return result as T;
}

/** The error; a result fails the test. */
export async function refusal(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<{ code: number; message: string; data?: unknown }> {
  const { result, error } = await reply(url, method, ...params);
  assert.ok(error, `${method} answered ${JSON.stringify(result)}`);
  return error;
}

interface Receipt {
  status: string;
  blockNumber: string;
  transactionIndex: string;
  logs: unknown[];
}

/** A fork for each test of a suite, after block 3 of a chain of its own; `original` is a transaction of that chain. */
export class ForkSuite {
  service!: TestForks;
  fork!: Fork;
  original = '';
  engines!: TestEngines;
  chain!: Chain;

  get rpc(): string {
    return this.fork.rpc;
  }

  /** Another service on the same chain; with `records` it is a later run of the first one. */
  another(changes: Partial<Chain>, options?: TestForksOptions): Promise<TestForks> {
    const { start, home } = this.engines;
    return TestForks.open(start, home, { ...this.chain, ...changes }, options);
  }

  /** Adds one to the counter contract, which holds 1 at the fork point. */
  increment(from = ALICE.address): Promise<string> {
    return call(this.rpc, 'eth_sendTransaction', { from, to: COUNTER });
  }

  async counter(): Promise<number> {
    return Number(await call(this.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));
  }

  async head(): Promise<number> {
    return Number(await call(this.rpc, 'eth_blockNumber'));
  }

  receiptOf(hash: string): Promise<Receipt> {
    return call<Receipt>(this.rpc, 'eth_getTransactionReceipt', hash);
  }
}

/** Registers the hooks of a suite of tests on a fork. */
export function useFork(): ForkSuite {
  const suite = new ForkSuite();
  before(async () => {
    suite.engines = await testEngines();
    const upstream = await TestChain.start(suite.engines.start);
    await upstream.mine();
    suite.original = await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    await upstream.mine();
    suite.chain = {
      slug: 'eth',
      chainId: 1,
      nativeSymbol: 'ETH',
      rpcUrls: [`${upstream.engine.url}/?key=5ecr3t`],
    };
    suite.service = await suite.another({});
  });
  after(async () => {
    await suite.service.close();
    await suite.engines.close();
  });
  beforeEach(async () => {
    suite.fork = await suite.service.create({ height: '0x3' });
    suite.service.counted.length = 0;
  });
  afterEach(() => suite.service.forks.deleteAllOf(PROJECT));
  return suite;
}
