import assert from 'node:assert/strict';
import { AnalysisSession, failureOf } from '../../../extension/inspector/analysis-session';
import { explorerUrl } from '../../../extension/inspector/explorer-url';
import { inspectorHtml } from '../../../extension/inspector/inspector-html';
import { partLoader } from '../../../extension/inspector/load-part';
import { flowPart } from '../../../extension/inspector/parts';
import { slicesOf } from '../../../extension/inspector/slices';
import {
  canRun,
  comparisonTitle,
  panelTitle,
  parseSource,
  sourceKey,
} from '../../../extension/inspector/source';
import type { ApiClient } from '../../../extension/client/api-client';
import type { PartMessage, Source } from '../../../media/inspector/protocol';
import { ApiError } from '../../../server/api/errors';
import type { TraceNode } from '../../../server/api/explorer';
import type { RouteData, RouteId } from '../../../server/api/routes';
import { fixture, invocation } from '../../ui-components/fixtures';

const HASH = `0x${'ab'.repeat(32)}`;
const FORK = `fork_1234${'0'.repeat(24)}cdef`;
const source: Source = { kind: 'transaction', chain: 'eth', transaction: HASH };
const simulation: Source = {
  kind: 'simulation',
  chain: 'eth',
  request: { from: `0x${'a'.repeat(40)}`, data: '0x60' },
};

describe('inspector host: flow', () => {
  it('flattens the tree in execution order, without the empty root', () => {
    const { rows } = flowPart(fixture('swap').flow);
    assert.deepEqual(
      rows.map((row) => (row.nodeType === 0 ? row.invocation.id : row.event.id)),
      [...rows.keys()],
    );
    assert.deepEqual(
      rows.map(({ depth }) => depth),
      [0, 1, 1, 2, 3, 1, 2, 3, 2, 3, 2, 2, 2, 1, 1, 2],
    );
  });

  it('takes nesting that recursion could not', () => {
    const { flow } = fixture('swap');
    let children: TraceNode[] = [];
    const dataMap: typeof flow.dataMap = {};
    for (let id = 20_000; id >= 0; id--) {
      dataMap[String(id)] = { nodeType: 0, invocation: invocation({ id }) };
      children = [{ id, depth: id, children }];
    }
    const { rows } = flowPart({ ...flow, trace: [{ id: -1, depth: -1, children }], dataMap });
    assert.equal(rows.length, 20_001);
    assert.equal(rows.at(-1)?.depth, 20_000);
  });
});

describe('inspector host: document', () => {
  it('allows nothing but its own script, style and font', () => {
    const html = inspectorHtml({
      cspSource: 'https://x',
      script: 'https://x/a.js',
      style: 's.css',
    });
    const policy = /content="(default-src[^"]*)"/.exec(html)?.[1] ?? '';
    const nonce = /nonce="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.equal(Buffer.from(nonce, 'base64').length, 16);
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      'style-src https://x',
      'font-src https://x',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.doesNotMatch(html, /unsafe/);
  });

  it('escapes what it puts into attributes', () => {
    const html = inspectorHtml({ cspSource: 'c', script: '"><script>', style: 's' });
    assert.match(html, /src="&quot;>&lt;script>"/);
  });

  it('brings its translations along, inert, in front of what reads them', () => {
    const resources = { cspSource: 'c', script: 's.js', style: 's.css' };
    const english = inspectorHtml(resources);
    assert.match(english, /<html lang="en">/);
    assert.doesNotMatch(english, /id="translations"/);
    const texts = { Why: 'Warum </script><script>alert(1)</script>' };
    const html = inspectorHtml({ ...resources, translations: { language: 'de', texts } });
    assert.match(html, /<html lang="de">/);
    const [, json = ''] =
      /<script type="application\/json" id="translations">(.*?)<\/script>\s*<script type="module"/s.exec(
        html,
      ) ?? [];
    assert.deepEqual(JSON.parse(json), texts);
    assert.equal(html.match(/<script/g)?.length, 2);
  });
});

describe('inspector host: sources', () => {
  it('restores only states of its own form', () => {
    assert.deepEqual(parseSource({ version: 2, source, view: {} }), source);
    assert.deepEqual(parseSource({ source: simulation }), simulation);
    assert.deepEqual(parseSource({ source: { ...simulation, title: 'deploy' } }), {
      ...simulation,
      title: 'deploy',
    });
    for (const state of [
      undefined,
      null,
      'x',
      {},
      { source: null },
      { source: { ...source, chain: '' } },
      { source: { ...source, transaction: '0x12' } },
      { source: { ...source, kind: 'other' } },
      { source: { ...simulation, request: {} } },
    ]) {
      assert.equal(parseSource(state), undefined);
    }
  });

  it('tells sources apart', () => {
    assert.notEqual(sourceKey(simulation), sourceKey({ ...simulation, title: 'x' }));
    assert.equal(sourceKey(source), sourceKey({ ...source }));
  });

  it('titles panels', () => {
    assert.equal(panelTitle(source), 'eth 0xabab…abab');
    assert.equal(panelTitle(source, { method: 'transfer' }), 'transfer 0xabab…abab');
    assert.equal(panelTitle(source, { method: 'native transfer' }), 'native transfer 0xabab…abab');
    assert.equal(panelTitle(source, { method: '\u202efeed' }), 'eth 0xabab…abab');
    assert.equal(panelTitle(simulation), 'simulation eth');
    const forked = { ...source, chain: FORK };
    assert.equal(panelTitle(forked), 'fork 1234…cdef 0xabab…abab');
    assert.equal(panelTitle(forked, { forkName: 'my fork' }), 'my fork 0xabab…abab');
    assert.equal(panelTitle(forked, { method: 'swap', forkName: 'x' }), 'swap 0xabab…abab');
    assert.equal(
      comparisonTitle({ left: source, right: forked }, { right: 'my fork' }),
      'eth 0xabab…abab ↔ my fork 0xabab…abab',
    );
    assert.equal(panelTitle({ ...simulation, title: 'deploy' }, { method: 'x' }), 'deploy');
  });

  it('offers for a simulation only what needs no sent transaction', () => {
    assert.equal(canRun('compareWith', simulation), true);
    assert.equal(canRun('forkBeforeTransaction', simulation), false);
    assert.equal(canRun('forkBeforeTransaction', source), true);
  });

  it('makes explorer pages from proper ids only', () => {
    assert.equal(
      explorerUrl('https://scan.example/', { kind: 'transaction', id: HASH }),
      `https://scan.example/tx/${HASH}`,
    );
    assert.equal(explorerUrl('https://scan.example', { kind: 'address', id: '../x' }), undefined);
  });
});

/** A service that answers from a table; what is not in it never answers. */
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

/** Lets what has been settled be dealt with. */
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

  it('hands a part over as its head and its list, again and again, from one fetch', async () => {
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

  it('sends no more slices ahead than two, and the next as one is taken', async () => {
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

  it('lets one part fail without the other, and tries it again when asked', async () => {
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

  it('cancels one part, and all of them at the end', async () => {
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

  it('takes all parts of a simulation from one request', async () => {
    const { status, trace, dataMap, labels, transaction } = flow;
    const answer = {
      ...{ status, trace, dataMap, labels, transaction },
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

  it('ends a simulation when nobody waits for it any more', () => {
    const { client, session } = open({}, simulation);
    session.receive({ type: 'load', part: 'flow' });
    session.receive({ type: 'load', part: 'balanceChange' });
    session.receive({ type: 'cancel', part: 'flow' });
    assert.equal(client.signals[0]?.aborted, false);
    session.receive({ type: 'cancel', part: 'balanceChange' });
    assert.equal(client.signals[0].aborted, true);
  });

  it('gives a code only to errors of the service', () => {
    assert.deepEqual(failureOf(new Error('x')), { code: 0, message: 'x' });
    assert.deepEqual(failureOf('x'), { code: 0, message: 'unknown error' });
  });
});

describe('inspector host: slices', () => {
  it('cuts by the length of the text, and gives a long item a slice of its own', () => {
    const long = 'x'.repeat(600 * 1024);
    const slices = [...slicesOf(['a', long, 'b', 'c'])];
    assert.deepEqual(
      slices.map((slice) => JSON.parse(slice) as unknown),
      [['a'], [long], ['b', 'c']],
    );
    assert.deepEqual([...slicesOf([])], []);
  });
});
