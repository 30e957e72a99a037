import assert from 'node:assert/strict';
import { explorerUrl } from '../../../extension/inspector/explorer-url';
import { inspectorHtml } from '../../../extension/inspector/inspector-html';
import { flowPart } from '../../../media/inspector/protocol/analysis-parts';
import { slicesOf } from '../../../extension/inspector/slices';
import {
  canRun,
  comparisonTitle,
  panelTitle,
  parseSource,
  sourceKey,
} from '../../../extension/inspector/source';
import {
  readComparisonMessage,
  readWebviewMessage,
} from '../../../extension/inspector/read-webview-message';
import type { Source } from '../../../media/inspector/protocol/protocol';
import type { TraceNode } from '../../../server/api/explorer';
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

  it('handles nesting that is too deep for recursion', () => {
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

describe('inspector host: messages', () => {
  const load = { type: 'load', part: 'flow' };

  it('are accepted if they belong to the protocol', () => {
    for (const message of [
      { type: 'ready' },
      load,
      { type: 'run', action: 'compareWith' },
      { type: 'openExplorer', page: { kind: 'block', id: '12' } },
      { type: 'save', name: 'a.csv', content: 'a' },
      { type: 'debug', from: 3 },
      { type: 'debug', from: { call: 3 } },
      { type: 'moveDebugger', to: 3 },
      { type: 'moveDebugger', to: { call: 3 } },
    ]) {
      assert.deepEqual(readWebviewMessage(message), message);
      assert.deepEqual(readComparisonMessage(message), message);
    }
    const side = { type: 'side', side: 'left', request: load };
    assert.deepEqual(readComparisonMessage(side), side);
    assert.equal(readWebviewMessage(side), undefined);
  });

  for (const message of [
    undefined,
    'ready',
    { type: 'load', part: 'constructor' },
    { type: 'run', action: 'deleteProject' },
    { type: 'openExplorer', page: { kind: 'constructor', id: '12' } },
    { type: 'openSource', place: { file: 'a.sol', startLine: '1' } },
    { type: 'debug', from: { call: -1 } },
    { type: 'moveDebugger', to: 'failure' },
    { type: 'moveDebugger', to: { call: 0.5 } },
    { type: 'side', side: '__proto__', request: load },
    { type: 'side', side: 'left', request: { type: 'copy', text: 'x' } },
  ]) {
    it(`are refused: ${JSON.stringify(message)}`, () => {
      assert.equal(readComparisonMessage(message), undefined);
    });
  }
});

describe('inspector host: document', () => {
  it('allows only its own script, style and font', () => {
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

  it('escapes attribute values', () => {
    const html = inspectorHtml({ cspSource: 'c', script: '"><script>', style: 's' });
    assert.match(html, /src="&quot;>&lt;script>"/);
  });

  it('contains its translations, escaped, before the script that reads them', () => {
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
  it('restores only valid states', () => {
    assert.deepEqual(parseSource({ version: 2, source, view: {} }), source);
    assert.deepEqual(parseSource({ source: simulation }), simulation);
    assert.deepEqual(parseSource({ source: { ...simulation, title: 'deploy' } }), {
      ...simulation,
      title: 'deploy',
    });
    assert.deepEqual(parseSource({ source: { ...simulation, title: '' } }), simulation);
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

  it('distinguishes sources', () => {
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

  it('offers only actions for a simulation that need no sent transaction', () => {
    assert.equal(canRun('compareWith', simulation), true);
    assert.equal(canRun('forkBeforeTransaction', simulation), false);
    assert.equal(canRun('forkBeforeTransaction', source), true);
  });

  it('builds explorer URLs only from valid ids', () => {
    assert.equal(
      explorerUrl('https://scan.example/', { kind: 'transaction', id: HASH }),
      `https://scan.example/tx/${HASH}`,
    );
    assert.equal(explorerUrl('https://scan.example', { kind: 'address', id: '../x' }), undefined);
  });
});

describe('inspector host: slices', () => {
  it('limits the length of a slice, and puts a long item into a separate slice', () => {
    const long = 'x'.repeat(600 * 1024);
    const slices = [...slicesOf(['a', long, 'b', 'c'])];
    assert.deepEqual(
      slices.map((slice) => JSON.parse(slice) as unknown),
      [['a'], [long], ['b', 'c']],
    );
    assert.deepEqual([...slicesOf([])], []);
  });
});
