import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { readMetrics, type Metrics } from '../support/metrics';
import { childrenOf, signalAll } from '../support/processes';
import {
  createFork,
  localProject,
  startService,
  type ServiceOptions,
  type TestService,
} from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';
import { ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const TOKEN = 'a-token-of-monitoring';

/** An address of this machine that is not of the loopback interface. */
const ownAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

describe('the metrics of a service', function () {
  let engines: TestEngines;
  let upstream: UpstreamProxy;
  let service: TestService | undefined;
  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    upstream = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await upstream.close();
    await engines.close();
  });
  afterEach(async () => {
    upstream.fault = undefined;
    await service?.stop();
  });
  const start = async (options: ServiceOptions = {}): Promise<TestService> => {
    const config = { chains: [ethChain(upstream.url)], ...options.config };
    return (service = await startService({ ...options, config }));
  };
  /** How often a route was answered. */
  const answers = (metrics: Metrics, method: string, route: string, code: number): number =>
    metrics.get(
      `forklens_http_request_duration_seconds_count{method="${method}",route="${route}",code="${code}"}`,
    ) ?? 0;

  it('count requests by the pattern of their route and their status', async () => {
    const running = await start();
    const project = await localProject(running);
    for (let index = 0; index < 3; index++) {
      await running.request('GET', `/v1/project/project_${String(index).repeat(32)}`);
    }
    await running.request('GET', `/v1/project/${project}`);
    await running.request('PUT', '/v1/projects', {});
    await running.request('GET', '/nothing/here');
    await running.request('GET', '/nothing/there');
    const metrics = await readMetrics(running);
    assert.equal(answers(metrics, 'GET', '/v1/projects', 200), 1);
    assert.equal(answers(metrics, 'GET', '/v1/project/:project_id', 404), 3);
    assert.equal(answers(metrics, 'GET', '/v1/project/:project_id', 200), 1);
    assert.equal(answers(metrics, 'PUT', '/v1/projects', 405), 1);
    assert.equal(answers(metrics, 'GET', 'unknown', 404), 2);
    const routes = [...metrics.keys()].filter((name) => name.includes('_seconds_count{method'));
    assert.equal(routes.length, 5);
    assert.equal(answers(await readMetrics(running), 'GET', '/metrics', 200), 1);
  });

  it('count forks, engines, wakes, and calls of chains', async () => {
    upstream.reset();
    const running = await start();
    const fork = await createFork(running, { chainId: 1, height: '0x1' });
    assert.equal(await call(fork.rpc, 'eth_blockNumber'), '0x1');
    const first = await readMetrics(running);
    assert.equal(first.get('forklens_forks{state="running"}'), 1);
    assert.equal(first.get('forklens_forks{state="sleeping"}'), 0);
    assert.equal(first.get('forklens_engines{use="forks"}'), 1);
    assert.equal(first.get('forklens_engines{use="executions"}'), 0);
    assert.equal(first.get('forklens_engines_limit'), 8);
    assert.equal(first.get('forklens_engine_queue_length'), 0);
    assert.equal(first.get('forklens_execution_queue_length'), 0);
    assert.equal(first.get('forklens_websockets'), 0);
    assert.equal(first.get('forklens_fork_wake_duration_seconds_count'), 0);
    assert.equal(first.get('forklens_fork_takeovers_total'), 0);
    assert.equal(answers(first, 'POST', '/rpc/:secret', 200), 1);
    const [engine] = childrenOf(running.child.pid!).flatMap(childrenOf);
    signalAll(engine === undefined ? childrenOf(running.child.pid!) : [engine], 'SIGTERM');
    await eventually(async () => {
      const read = await readMetrics(running);
      assert.equal(read.get('forklens_forks{state="sleeping"}'), 1);
    });
    await call(fork.rpc, 'eth_chainId');
    await call(fork.rpc, 'eth_getBalance', `0x${'01'.repeat(20)}`, 'latest');
    // A call that the service makes by itself may have been asked, and not yet be answered.
    const second = await eventually(async () => {
      const read = await readMetrics(running);
      const calls = Object.values(upstream.counts()).reduce((sum, count) => sum + count, 0);
      assert.equal(read.get('forklens_upstream_calls_total{chain="eth"}'), calls);
      assert.equal(
        read.get('forklens_upstream_request_duration_seconds_count{chain="eth"}'),
        upstream.requests,
      );
      return read;
    });
    assert.equal(second.get('forklens_fork_wake_duration_seconds_count'), 1);
    assert.equal(second.get('forklens_upstream_failed_calls_total{chain="eth"}'), 0);
    // The state of a block by its hash is kept: the wake does not ask for it again.
    const hits = second.get('forklens_cache_requests_total{cache="answers",result="hit"}')!;
    assert.ok(hits > 0);
    assert.ok(second.get('nodejs_eventloop_lag_p99_seconds')! >= 0);
  });

  it('count the calls that a chain does not answer', async () => {
    upstream.reset();
    const running = await start();
    upstream.fault = (calls) =>
      calls.some(({ method }) => method === 'eth_chainId') ? undefined : { status: 500 };
    const answer = await running.request('GET', '/v1/chains/eth/block?at=1');
    assert.equal(answer.code, 50200);
    const metrics = await readMetrics(running);
    const { eth_chainId: checks = 0, ...failed } = upstream.counts();
    const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
    assert.ok(failures > 1);
    assert.equal(metrics.get('forklens_upstream_failed_calls_total{chain="eth"}'), failures);
    assert.equal(metrics.get('forklens_upstream_calls_total{chain="eth"}'), failures + checks);
  });

  it('count the look-ups of kept traces', async () => {
    const running = await start({ args: ['--sandbox'] });
    const { data } = await running.request<{ hash: string }[]>('GET', '/v1/explorer/sandbox/story');
    const path = `/v1/explorer/sandbox/transaction/${data[0]!.hash}/fund-flow`;
    assert.equal((await running.request('GET', path)).message, 'OK');
    const metrics = await readMetrics(running);
    assert.equal(metrics.get('forklens_cache_requests_total{cache="traces",result="miss"}'), 1);
    assert.equal(
      metrics.get('forklens_cache_requests_total{cache="traces",result="hit"}'),
      undefined,
    );
  });

  it('need the token, if one is configured', async () => {
    const configured = await start({ config: { metrics: { token: TOKEN } } });
    const status = async (header?: string): Promise<number> => {
      const headers = header === undefined ? {} : { Authorization: header };
      return (await fetch(`${configured.url}/metrics`, { headers })).status;
    };
    assert.equal(await status(), 404);
    for (const wrong of [TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer ', '']) {
      assert.equal(await status(wrong), 404);
    }
    await readMetrics(configured, { Authorization: `Bearer ${TOKEN}` });
  });

  it('take the token of the environment before the one of the config file', async () => {
    const other = 'another-token-of-monitoring';
    const running = await start({
      config: { metrics: { token: TOKEN } },
      env: { FORKLENS_METRICS_TOKEN: other },
    });
    await readMetrics(running, { Authorization: `Bearer ${other}` });
    const refused = await running.request('GET', '/metrics', {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    assert.equal(refused.code, 40400);
  });

  it('do not exist for a request that a proxy of this machine passes on', async () => {
    const running = await start();
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP']) {
      const headers = { [name]: '127.0.0.1' };
      assert.equal((await running.request('GET', '/metrics', { headers })).code, 40400);
    }
  });

  it('do not exist for other machines without a token', async () => {
    const running = await start({ args: ['--host', '0.0.0.0'] });
    const { port } = new URL(running.url);
    const address = ownAddress();
    if (address === undefined) return;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest({ host: address, port, path: '/metrics' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject).end();
    });
    assert.equal(status, 404);
  });
});
