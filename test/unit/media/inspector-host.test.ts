import assert from 'node:assert/strict';
import { AnalysisLoader, failureOf } from '../../../extension/inspector/analysis-loader';
import { explorerUrl } from '../../../extension/inspector/explorer-url';
import { flowForWebview } from '../../../extension/inspector/flow-rows';
import { inspectorHtml } from '../../../extension/inspector/inspector-html';
import { panelTitle, parseTarget, topMethod } from '../../../extension/inspector/target';
import type { ApiClient } from '../../../extension/client/api-client';
import type { ToWebview } from '../../../media/inspector/protocol';
import { ApiError } from '../../../server/api/errors';
import type { TraceNode } from '../../../server/api/explorer';
import type { RouteData, RouteId } from '../../../server/api/routes';
import { callRow, fixture, invocation } from '../../ui-components/fixtures';

const HASH = `0x${'ab'.repeat(32)}`;
const NO_METHOD = {
  name: '',
  signature: '',
  callParams: [],
  returnParams: [],
  constructorArguments: '',
};
const target = { chain: 'eth', transaction: HASH };

describe('inspector host: flow', () => {
  it('flattens the tree in execution order, without the empty root', () => {
    const { rows } = flowForWebview(fixture('swap').flow);
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
    const { rows } = flowForWebview({ ...flow, trace: [{ id: -1, depth: -1, children }], dataMap });
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
});

describe('inspector host: targets', () => {
  it('restores only states of its own form', () => {
    assert.deepEqual(parseTarget({ ...target, tab: 'calls' }), target);
    for (const state of [
      undefined,
      null,
      'x',
      {},
      { ...target, chain: '' },
      { ...target, transaction: '0x12' },
    ]) {
      assert.equal(parseTarget(state), undefined);
    }
  });

  it('titles panels', () => {
    assert.equal(panelTitle(target), 'eth 0xabab…abab');
    assert.equal(panelTitle(target, 'transfer'), 'transfer 0xabab…abab');
    const swap = flowForWebview(fixture('swap').flow);
    assert.equal(topMethod(swap), 'swapExactTokensForTokens');
    assert.equal(topMethod({ ...swap, rows: [] }), undefined);
    const decodedMethod = { ...NO_METHOD, name: '\u202efeed' };
    assert.equal(topMethod({ ...swap, rows: [callRow(0, { decodedMethod })] }), undefined);
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

describe('inspector host: loader', () => {
  const { flow, balances } = fixture('swap');
  const chains = [{ slug: 'eth', blockExplorerUrl: 'https://scan.example' }];

  async function delivered(loader: AnalysisLoader): Promise<ToWebview[]> {
    const messages: ToWebview[] = [];
    await loader.deliver((message) => messages.push(message));
    return messages.sort((a, b) => a.type.localeCompare(b.type));
  }

  it('delivers both answers, again and again, from one fetch', async () => {
    const client = new TableClient({
      getInvocationFlow: flow,
      getBalanceChange: balances,
      listChains: chains,
    });
    const loader = new AnalysisLoader(client, target);
    const expected: ToWebview[] = [
      { type: 'balances', outcome: { ok: true, value: balances } },
      { type: 'flow', outcome: { ok: true, value: flowForWebview(flow) }, hasExplorer: true },
    ];
    assert.deepEqual(await delivered(loader), expected);
    assert.deepEqual(await delivered(loader), expected);
    assert.equal(client.signals.length, 3);
  });

  it('lets one part fail without the other, and does without an explorer', async () => {
    const client = new TableClient({
      getInvocationFlow: flow,
      getBalanceChange: new ApiError('timedOut', 'prices took too long'),
      listChains: new Error('no'),
    });
    const [second, first] = await delivered(new AnalysisLoader(client, target));
    assert.deepEqual(second, {
      type: 'balances',
      outcome: { ok: false, failure: { code: 50400, message: 'prices took too long' } },
    });
    assert.equal(first?.type === 'flow' && first.outcome.ok && !first.hasExplorer, true);
  });

  it('cancels all requests', async () => {
    const client = new TableClient({});
    const loader = new AnalysisLoader(client, target);
    loader.cancel();
    assert.deepEqual(
      client.signals.map(({ aborted }) => aborted),
      [true, true, true],
    );
    const { outcome } = await loader.flow;
    assert.deepEqual(outcome, { ok: false, failure: { code: 49900, message: 'cancelled' } });
  });

  it('gives a code only to errors of the service', () => {
    assert.deepEqual(failureOf(new Error('x')), { code: 0, message: 'x' });
    assert.deepEqual(failureOf('x'), { code: 0, message: 'unknown error' });
  });
});
