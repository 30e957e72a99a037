import assert from 'node:assert/strict';
import { AnalysisSession, failureOf } from '../../../extension/inspector/analysis-session';
import { partLoader } from '../../../extension/inspector/load-part';
import { flowPart } from '../../../media/inspector/protocol/analysis-parts';
import { slicesOf } from '../../../extension/inspector/slices';
import type { ApiClient } from '../../../extension/model/api-client';
import type { PartMessage, Source } from '../../../media/inspector/protocol/protocol';
import { ApiError } from '../../../server/api/errors';
import type { TraceNode } from '../../../server/api/explorer';
import type { RouteData, RouteId } from '../../../server/api/routes';
import { fixture, invocation } from '../../ui-components/fixtures';

const HASH = `0x${'ab'.repeat(32)}`;
const source: Source = { kind: 'transaction', chain: 'eth', transaction: HASH };
const simulation: Source = {
  kind: 'simulation',
  chain: 'eth',
  request: { from: `0x${'a'.repeat(40)}`, data: '0x60' },
};

/** A service that answers from a table. Calls without an entry never settle. */
class TableClient implements ApiClient {
  readonly signals: AbortSignal[] = [];
  constructor(private readonly answers: Partial<Record<RouteId, unknown>>) {}

  call<Id extends RouteId>(
    id: Id,
    _request: unknown,
    options?: { signal?: AbortSignal },
  ): Promise<RouteData<Id>> {
    if (options?.signal) this.signals.push(options.signal);
    const answer = this.answers[id];
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== undefined) return Promise.resolve(answer as RouteData<Id>);
    return new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => {
        reject(new ApiError('cancelled', 'cancelled'));
      });
    });
  }
}

/** Lets settled promises run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('inspector host: session', () => {
  const { flow, balances } = fixture('swap');

  function open(
    answers: Partial<Record<RouteId, unknown>>,
    of = source,
  ): { client: TableClient; session: AnalysisSession; posted: PartMessage[] } {
    const client = new TableClient(answers);
    const posted: PartMessage[] = [];
    const session = new AnalysisSession(partLoader(client, of), (message) => {
      posted.push(message);
    });
    return { client, session, posted };
  }

  it('sends a part as its head and its list, repeatedly, from one request', async () => {
    const { client, session, posted } = open({ getInvocationFlow: flow });
    const { rows, ...head } = flowPart(flow);
    for (let round = 0; round < 2; round++) {
      session.receive({ type: 'load', part: 'flow' });
      await settled();
      assert.deepEqual(posted.splice(0), [
        { type: 'head', part: 'flow', head, total: 16 },
        { type: 'slice', part: 'flow', items: JSON.stringify(rows) },
      ]);
    }
    assert.equal(client.signals.length, 1);
  });

  it('sends at most two slices ahead, and the next one after each acknowledgement', async () => {
    const trace: TraceNode[] = [];
    const dataMap: typeof flow.dataMap = {};
    for (let id = 0; id < 5001; id++) {
      trace.push({ id, depth: 0, children: [] });
      dataMap[String(id)] = { nodeType: 0, invocation: invocation({ id }) };
    }
    const { session, posted } = open({ getInvocationFlow: { ...flow, trace, dataMap } });
    session.receive({ type: 'load', part: 'flow' });
    await settled();
    const slices = (): string[] =>
      posted.flatMap((message) => (message.type === 'slice' ? [message.items] : []));
    const all = [...slicesOf(flowPart({ ...flow, trace, dataMap }).rows)];
    assert.deepEqual(slices(), all.slice(0, 2));
    for (let taken = 1; taken <= all.length; taken++) {
      session.receive({ type: 'taken', part: 'flow' });
      assert.deepEqual(slices(), all.slice(0, 2 + taken));
    }
  });

  it('lets one part fail without the other, and retries it on request', async () => {
    const answers: Partial<Record<RouteId, unknown>> = {
      getInvocationFlow: flow,
      getBalanceChange: new ApiError('timedOut', 'prices took too long'),
    };
    const { session, posted } = open(answers);
    session.receive({ type: 'load', part: 'balanceChange' });
    session.receive({ type: 'load', part: 'flow' });
    await settled();
    assert.deepEqual(
      posted.map(({ type, part }) => `${part} ${type}`),
      ['flow head', 'flow slice', 'balanceChange failed'].sort(
        (a, b) => Number(b.includes('failed')) - Number(a.includes('failed')),
      ),
    );
    const failure = { code: 50400, message: 'prices took too long' };
    assert.deepEqual(posted[0], { type: 'failed', part: 'balanceChange', failure });
    answers.getBalanceChange = balances;
    session.receive({ type: 'load', part: 'balanceChange' });
    await settled();
    assert.equal(posted.at(-2)?.type, 'head');
  });

  it('cancels one part, and all of them on close', async () => {
    const { client, session, posted } = open({});
    session.receive({ type: 'load', part: 'flow' });
    session.receive({ type: 'load', part: 'gasProfile' });
    session.receive({ type: 'cancel', part: 'flow' });
    await settled();
    const failure = { code: 49900, message: 'cancelled' };
    assert.deepEqual(posted, [{ type: 'failed', part: 'flow', failure }]);
    session.close();
    await settled();
    assert.deepEqual(
      client.signals.map(({ aborted }) => aborted),
      [true, true],
    );
    assert.equal(posted.length, 1);
  });

  it('loads all parts of a simulation from one request', async () => {
    const { status, trace, dataMap, labels, transaction } = flow;
    const answer = {
      status,
      trace,
      dataMap,
      labels,
      transaction,
      balanceChange: balances.balanceChange,
      fundFlow: null,
      gasProfile: null,
      stateDiff: null,
      failures: [{ part: 'fundFlow', code: 50201, message: 'no state at this block' }],
    };
    const { client, session, posted } = open({ simulate: answer }, simulation);
    for (const part of ['flow', 'balanceChange', 'fundFlow'] as const) {
      session.receive({ type: 'load', part });
    }
    await settled();
    assert.equal(client.signals.length, 1);
    assert.deepEqual(
      posted.filter(({ type }) => type !== 'slice').map(({ type, part }) => `${part} ${type}`),
      ['flow head', 'balanceChange head', 'fundFlow failed'],
    );
    const failure = { code: 50201, message: 'no state at this block' };
    assert.deepEqual(posted.at(-1), { type: 'failed', part: 'fundFlow', failure });
  });

  it('loads the sources and the conditions of a simulation from one recording, and makes it again after a failure', async () => {
    const recording = { chain: 'eth', transaction: `0x${'ab'.repeat(32)}` };
    const sources = { status: true, locations: [], changed: [], sources: [], unknown: [] };
    const gone = new ApiError('transactionNotFound', 'simulate it again');
    const answers: Partial<Record<RouteId, unknown>> = {
      recordSimulation: recording,
      getSourceLocations: sources,
      getFailedConditions: gone,
    };
    const { client, session, posted } = open(answers, simulation);
    for (const part of ['sourceLocations', 'failedConditions'] as const) {
      session.receive({ type: 'load', part });
    }
    await settled();
    const { locations, ...head } = { ...sources, contracts: [] };
    assert.deepEqual(locations, []);
    const failure = { code: gone.code, message: 'simulate it again' };
    assert.deepEqual(posted.splice(0), [
      { type: 'failed', part: 'failedConditions', failure },
      { type: 'head', part: 'sourceLocations', head, total: 0 },
    ]);
    assert.equal(client.signals.length, 3);
    answers.getFailedConditions = { conditions: [] };
    session.receive({ type: 'load', part: 'failedConditions' });
    await settled();
    assert.deepEqual(posted, [{ type: 'head', part: 'failedConditions', head: {}, total: 0 }]);
    assert.equal(client.signals.length, 5);
  });

  it('loads the functions of a simulation that cannot be recorded, with the reason', async () => {
    const functions = { status: true, locations: [], changed: [], sources: [], unknown: [] };
    const { session, posted } = open(
      {
        recordSimulation: new ApiError('recordingTooLarge', 'more than 5,000,000 steps'),
        getSimulationSourceLocations: { ...functions, incomplete: 'not recorded' },
      },
      simulation,
    );
    for (const part of ['sourceLocations', 'failedConditions'] as const) {
      session.receive({ type: 'load', part });
    }
    await settled();
    const { locations, ...known } = functions;
    assert.deepEqual(locations, []);
    const head = { ...known, contracts: [], incomplete: 'more than 5,000,000 steps' };
    const { code } = new ApiError('recordingTooLarge', '');
    const failure = { code, message: 'more than 5,000,000 steps' };
    assert.deepEqual(posted, [
      { type: 'failed', part: 'failedConditions', failure },
      { type: 'head', part: 'sourceLocations', head, total: 0 },
    ]);
  });

  it('aborts a simulation when no part waits for it any more', () => {
    const { client, session } = open({}, simulation);
    session.receive({ type: 'load', part: 'flow' });
    session.receive({ type: 'load', part: 'balanceChange' });
    session.receive({ type: 'cancel', part: 'flow' });
    assert.equal(client.signals[0]?.aborted, false);
    session.receive({ type: 'cancel', part: 'balanceChange' });
    assert.equal(client.signals[0].aborted, true);
  });

  it('assigns a code only to errors of the service', () => {
    assert.deepEqual(failureOf(new Error('x')), { code: 0, message: 'x' });
    assert.deepEqual(failureOf('x'), { code: 0, message: 'unknown error' });
  });
});
