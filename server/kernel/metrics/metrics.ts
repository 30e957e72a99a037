import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ForkState } from '../../api/fork';
import { methodLabel, routePattern } from './route-pattern';
import type { Stall } from './stall-meter';

/** What is read when the metrics are. */
export interface MetricSources {
  /** Forks that the process knows. */
  forks: () => ReadonlyMap<ForkState, number>;
  /** Running engines, and forks that wait for one. */
  engines: () => { forks: number; executions: number; limit: number; waiting: number };
  /** Executions that wait for their turn. */
  executionsWaiting: () => number;
  webSockets: () => number;
  /** Since the start of the process. */
  longestStall: () => Stall;
  /** Connections to the database, and statements that wait for one; undefined: there is no database. */
  database: (() => { used: number; idle: number; waiting: number }) | undefined;
}

/** One HTTP exchange. */
export interface Exchange {
  method: string | undefined;
  /** Path and query. Never becomes a label. */
  url: string | undefined;
  /** Undefined: the client left before the answer was sent. */
  status: number | undefined;
  seconds: number;
}

/** Upper bounds of the buckets of durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Of pauses of the event loop, in seconds. */
const STALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ABANDONED = 'abandoned';

/** What the service measures, in Prometheus' text format. Labels have few values: names of chains, patterns of routes. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'code'>;
  readonly #wakes: Histogram;
  readonly #takeovers: Counter;
  readonly #upstreamRequests: Histogram<'chain'>;
  readonly #upstreamCalls: Counter<'chain'>;
  readonly #upstreamFailures: Counter<'chain'>;
  readonly #cache: Counter<'cache' | 'result'>;
  readonly #stalls: Histogram;
  #hasProcessMetrics = false;

  constructor(version: string) {
    const registers = [this.#registry];
    const seconds = { buckets: BUCKETS, registers };
    this.#requests = new Histogram({
      name: 'forklens_http_request_duration_seconds',
      help: 'HTTP requests by method, pattern of the route and status; code "abandoned": the client left before the answer',
      labelNames: ['method', 'route', 'code'],
      ...seconds,
    });
    this.#wakes = new Histogram({
      name: 'forklens_fork_wake_duration_seconds',
      help: 'Time from the request that wakes a fork until its engine has executed the journal',
      ...seconds,
    });
    this.#takeovers = new Counter({
      name: 'forklens_fork_takeovers_total',
      help: 'Forks that this node woke after another node had run them',
      registers,
    });
    this.#upstreamRequests = new Histogram({
      name: 'forklens_upstream_request_duration_seconds',
      help: 'HTTP requests to the nodes of a chain',
      labelNames: ['chain'],
      ...seconds,
    });
    this.#upstreamCalls = new Counter({
      name: 'forklens_upstream_calls_total',
      help: 'JSON-RPC calls sent to the nodes of a chain, repeated ones included',
      labelNames: ['chain'],
      registers,
    });
    this.#upstreamFailures = new Counter({
      name: 'forklens_upstream_failed_calls_total',
      help: 'JSON-RPC calls to the nodes of a chain that got no usable answer',
      labelNames: ['chain'],
      registers,
    });
    this.#cache = new Counter({
      name: 'forklens_cache_requests_total',
      help: 'Look-ups of kept answers of chains, traces and recordings',
      labelNames: ['cache', 'result'],
      registers,
    });
    this.#stalls = new Histogram({
      name: 'forklens_event_loop_stall_processor_seconds',
      help: 'Pauses of the event loop of 0.05 s or more, by the processor time that its thread used in each',
      buckets: STALL_BUCKETS,
      registers,
    });
    new Gauge({
      name: 'forklens_info',
      help: 'Always 1',
      labelNames: ['version'],
      registers,
    }).set({ version }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Reads these sources with the metrics. Called once. */
  readFrom(sources: MetricSources): void {
    const { database } = sources;
    this.#gauge('forklens_websockets', 'Open WebSockets of clients', sources.webSockets);
    this.#gauge(
      'forklens_event_loop_longest_stall_seconds',
      'Longest pause of the event loop since the start of the process',
      () => sources.longestStall().seconds,
    );
    this.#gauges('forklens_forks', 'Forks that this process knows', 'state', sources.forks);
    this.#gauges('forklens_engines', 'Running engines', 'use', () => {
      const { forks, executions } = sources.engines();
      return new Map(Object.entries({ forks, executions }));
    });
    this.#gauge('forklens_engines_limit', 'Engines that may run', () => sources.engines().limit);
    this.#gauge(
      'forklens_engine_queue_length',
      'Forks that wait for an engine',
      () => sources.engines().waiting,
    );
    this.#gauge(
      'forklens_execution_queue_length',
      'Executions of transactions that wait for their turn',
      sources.executionsWaiting,
    );
    if (!database) return;
    this.#gauges('forklens_database_connections', 'Connections to the database', 'state', () => {
      const { used, idle } = database();
      return new Map(Object.entries({ used, idle }));
    });
    this.#gauge(
      'forklens_database_queue_length',
      'Statements that wait for a connection to the database',
      () => database().waiting,
    );
  }

  request({ method, url, status, seconds }: Exchange): void {
    const code = status === undefined ? ABANDONED : String(status);
    const labels = { method: methodLabel(method), route: routePattern(url), code };
    this.#requests.observe(labels, seconds);
  }

  /** @param isTakeover another node ran the fork before */
  wake(seconds: number, isTakeover: boolean): void {
    this.#wakes.observe(seconds);
    if (isTakeover) this.#takeovers.inc();
  }

  /** @param chain slug */
  upstream(chain: string, exchange: { calls: number; failed: number; seconds: number }): void {
    this.#upstreamRequests.observe({ chain }, exchange.seconds);
    this.#upstreamCalls.inc({ chain }, exchange.calls);
    this.#upstreamFailures.inc({ chain }, exchange.failed);
  }

  lookUp(cache: 'answers' | 'traces' | 'recordings', isHit: boolean): void {
    this.#cache.inc({ cache, result: isHit ? 'hit' : 'miss' });
  }

  stall({ processorSeconds }: Stall): void {
    this.#stalls.observe(processorSeconds);
  }

  /** The metrics now. Delays of the event loop and the like are measured from the first call on: their timer costs an idle process. */
  async text(): Promise<string> {
    if (!this.#hasProcessMetrics) collectDefaultMetrics({ register: this.#registry });
    this.#hasProcessMetrics = true;
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  #gauges(
    name: string,
    help: string,
    label: string,
    read: () => ReadonlyMap<string, number>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        for (const [value, count] of read()) this.set({ [label]: value }, count);
      },
    });
  }
}
