import fc from 'fast-check';
import { explorerUrl } from '../../extension/inspector/explorer-url';
import { pageHtml } from '../../server/client/page-html';
import { panelTitle, parseSource, sourceKey, sourceText } from '../../extension/inspector/source';
import {
  readComparisonMessage,
  readWebviewMessage,
} from '../../extension/inspector/read-webview-message';
import { parseAnalysisUri } from '../../extension/links/analysis-uri';
import { ACTIONS, LIST_OF } from '../../media/inspector/protocol/protocol';
import type { Tally, Target } from './campaign';
import { must } from './checks';
import { hostileText, hostileValue, mutated, mutation } from './hostile-values';

const HASH = `0x${'ab'.repeat(32)}`;
const EXPLORER = 'https://explorer.example.org/';
const text = fc.oneof(fc.string(), hostileText);
const part = fc.constantFrom(...Object.keys(LIST_OF));
const request = fc.record({ type: fc.constantFrom('load', 'reload', 'cancel', 'taken'), part });
const source = fc.oneof(
  fc.record({
    kind: fc.constant('transaction'),
    chain: fc.constantFrom('eth', `fork_${'0'.repeat(32)}`),
    transaction: fc.constant(HASH),
  }),
  fc.record(
    {
      kind: fc.constant('simulation'),
      chain: fc.constant('eth'),
      request: fc.record({ from: text, data: text }),
      title: text,
    },
    { requiredKeys: ['kind', 'chain', 'request'] },
  ),
);
const look = fc.record({
  variables: fc.dictionary(fc.oneof(fc.constant('--vscode-font'), text), text, { maxKeys: 3 }),
  bodyClasses: fc.array(fc.oneof(fc.constant('vscode-dark'), text), { maxLength: 3 }),
});

/** Messages of the inspector's protocol. */
const MESSAGES = {
  ready: fc.record({ type: fc.constant('ready') }),
  request,
  title: fc.record({ type: fc.constant('title'), method: text }),
  copy: fc.record({ type: fc.constant('copy'), text }),
  save: fc.record({ type: fc.constant('save'), name: text, content: text }),
  savePage: fc.record({ type: fc.constant('savePage'), name: text, data: text, look }),
  openExplorer: fc.record({
    type: fc.constant('openExplorer'),
    page: fc.record({
      kind: fc.constantFrom('transaction', 'address', 'block'),
      id: fc.constantFrom(HASH, '12', `0x${'ab'.repeat(20)}`),
    }),
  }),
  openSource: fc.record({
    type: fc.constant('openSource'),
    place: fc.record({
      file: text,
      startLine: fc.nat(),
      startColumn: fc.nat(),
      endLine: fc.nat(),
      endColumn: fc.nat(),
    }),
  }),
  run: fc.record({ type: fc.constant('run'), action: fc.constantFrom(...ACTIONS) }),
  debug: fc.record({
    type: fc.constant('debug'),
    from: fc.oneof(fc.nat(), fc.constant('failure')),
  }),
  side: fc.record({ type: fc.constant('side'), side: fc.constantFrom('left', 'right'), request }),
} satisfies Record<string, fc.Arbitrary<unknown>>;

interface Input {
  to: string;
  value: unknown;
}

const input = (to: string, valid: fc.Arbitrary<unknown>): fc.Arbitrary<Input> =>
  fc
    .oneof(
      { weight: 3, arbitrary: valid },
      {
        weight: 6,
        arbitrary: fc.tuple(valid, mutation).map(([value, change]) => mutated(value, change)),
      },
      { weight: 1, arbitrary: hostileValue },
    )
    .map((value) => ({ to, value }));

const INPUTS: readonly fc.Arbitrary<Input>[] = [
  ...Object.entries(MESSAGES).map(([name, valid]) => input(`message ${name}`, valid)),
  input(
    'saved state',
    fc.record({ version: fc.constant(2), source, view: fc.dictionary(text, text) }),
  ),
  input(
    'link',
    fc.record({
      path: fc.constantFrom('/analyze', '/'),
      chain: text,
      tx: fc.constantFrom(HASH, '0x'),
    }),
  ),
  input('page', fc.record({ data: text, look })),
];

/** Input of the editor's side: messages of its webviews, saved states and links. */
export class WebviewTarget implements Target<Input[]> {
  readonly known = [
    ...Object.keys(MESSAGES).map((name) => `message ${name}`),
    'saved state',
    'link',
    'page',
  ];
  readonly scripts = fc.array(fc.oneof(...INPUTS), { minLength: 1, maxLength: 10 });
  readonly perRound = 200;

  run(inputs: Input[], tally: Tally): Promise<void> {
    for (const { to, value } of inputs) tally.count(to, take(to, value) ? 'taken' : 'refused');
    return Promise.resolve();
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** @returns whether the input was accepted @throws Violation if a property does not hold */
function take(to: string, value: unknown): boolean {
  switch (to) {
    case 'saved state':
      return takeState(value);
    case 'link':
      return takeLink(value);
    case 'page':
      return takePage(value);
    default:
      return takeMessage(value);
  }
}

function takeMessage(value: unknown): boolean {
  const message = readWebviewMessage(value);
  const compared = readComparisonMessage(value);
  must(message === undefined || compared !== undefined, 'a comparison takes less');
  switch (message?.type) {
    case 'run':
      must(ACTIONS.includes(message.action), `it would run the command ${message.action}`);
      break;
    case 'openExplorer': {
      const url = explorerUrl(EXPLORER, message.page);
      must(url === undefined || url.startsWith(EXPLORER), `it would open ${String(url)}`);
      break;
    }
    case 'title': {
      const title = panelTitle({ kind: 'transaction', chain: 'eth', transaction: HASH }, message);
      must(/^[\w$ ]{1,60} 0xabab…abab$/.test(title), `the title would be ${title}`);
      break;
    }
    case 'savePage':
      takePage(message);
      break;
    default:
    // The other messages cause no action outside of the extension host.
  }
  return compared !== undefined;
}

function takeState(value: unknown): boolean {
  const parsed = parseSource(value);
  if (parsed === undefined) return false;
  for (const shown of [sourceKey(parsed), sourceText(parsed), panelTitle(parsed)]) {
    must(typeof shown === 'string' && shown !== '', 'a source without a name');
  }
  return true;
}

function takeLink(value: unknown): boolean {
  const { path, chain, tx } = (value ?? {}) as Record<string, unknown>;
  const query = new URLSearchParams({ chain: textOf(chain), tx: textOf(tx) }).toString();
  const link = parseAnalysisUri(typeof path === 'string' ? path : '/analyze', query);
  if ('problem' in link) return false;
  must(/^0x[0-9a-f]{64}$/.test(link.transaction), `the transaction is ${link.transaction}`);
  return true;
}

const count = (html: string, pattern: RegExp): number => html.match(pattern)?.length ?? 0;

/** The data of an analysis must not add elements to the page. */
function takePage(value: unknown): boolean {
  const message = readWebviewMessage({ type: 'savePage', name: 'x', ...(value as object) });
  if (message?.type !== 'savePage') return false;
  const parts = { script: 'let a;', style: 'a{}' };
  const plain = pageHtml({ ...parts, data: '{}', look: { variables: {}, bodyClasses: [] } });
  const page = pageHtml({ ...parts, data: message.data, look: message.look });
  for (const pattern of [
    /<script/gi,
    /<\/script/gi,
    /<style/gi,
    /<\/style/gi,
    /<body/gi,
    /<!--/g,
  ]) {
    must(count(page, pattern) === count(plain, pattern), `the page has another ${pattern.source}`);
  }
  return true;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
