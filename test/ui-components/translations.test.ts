import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import {
  TABS,
  type Parts,
  type ToComparison,
  type ToWebview,
} from '../../media/inspector/protocol/protocol';
import { API_ERRORS } from '../../server/api/errors';
import {
  messagesOfParts,
  partMessages,
  sandboxParts,
  sourceOf,
  type SandboxFixture,
} from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const BUNDLE = path.resolve(__dirname, '../../extension/l10n/bundle.l10n.json');

/** Splits off placeholders and their brackets from the words of a text. */
const WORDS = /(\{\w+\}|\]\(|\)|\[)/;

/** A text in a pseudo-language: its words are marked and two fifths longer, like those of some languages. */
function pseudo(text: string): string {
  return text
    .split(WORDS)
    .map((piece) =>
      WORDS.test(piece) || !/\p{L}/u.test(piece)
        ? piece
        : `⟦${piece}${'~'.repeat(Math.ceil(piece.length * 0.4))}⟧`,
    )
    .join('');
}

const texts = Object.keys(JSON.parse(readFileSync(BUNDLE, 'utf8')) as object);
const translations = {
  language: 'qps-ploc',
  texts: Object.fromEntries(texts.map((text) => [text, pseudo(text)])),
};

/** Words of code and of chains, which are the same in every language. */
const CODE = new Set(
  `call static staticcall delegate delegatecall create destroy selfdestruct event
  constructor fallback new anonymous max uint256 eth wei usd utc nft erc fork enter escape shift
  callcode from to address fn reason type source value gas depth reverted failed swap csv json svg png`.split(
    /\s+/,
  ),
);

/** All words in the values of some data. */
function wordsOf(data: unknown, found = new Set<string>()): Set<string> {
  if (typeof data === 'string') {
    for (const word of data.match(/[\p{L}\d]+/gu) ?? []) found.add(word.toLowerCase());
  } else if (typeof data === 'object' && data !== null) {
    for (const value of Object.values(data)) wordsOf(value, found);
  }
  return found;
}

/** Texts and accessible names on the page that contain a word which is neither marked nor in the data. */
async function unmarked(page: Page, data: unknown): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const all: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['title', 'aria-label', 'placeholder', 'aria-description', 'alt']) {
          const value = node.getAttribute(name);
          if (value !== null) all.push(value);
        }
      } else if (node.parentElement?.closest('script') === null) all.push(node.textContent ?? '');
    }
    return all;
  });
  const known = wordsOf(data);
  const isKnown = (word: string): boolean =>
    known.has(word) || CODE.has(word) || /\d/.test(word) || /^[0-9a-f]+$/.test(word);
  return [...new Set(shown)].filter((text) =>
    (text.replace(/⟦[^⟧]*⟧/g, ' ').match(/[\p{L}\d]{2,}/gu) ?? []).some(
      (word) => !isKnown(word.toLowerCase()),
    ),
  );
}

describe('inspector: translations', () => {
  const inspectors = useInspectors();
  const FIXTURES: readonly SandboxFixture[] = ['flash-loan', 'caught-revert', 'eip7702-batch'];

  async function show(
    parts: Omit<Parts, 'sourceLocations' | 'internalCalls' | 'failedConditions'>,
    width: number,
  ): Promise<InspectorPage> {
    const inspector = await inspectors.open({ width, translations });
    await inspector.post(...messagesOfParts(parts));
    return inspector;
  }

  for (const width of [400, 1200]) {
    for (const name of FIXTURES) {
      it(`shows no English text and does not overflow: ${name} at ${width} px`, async () => {
        const parts = sandboxParts(name);
        const inspector = await show(parts, width);
        assert.equal(await inspector.page.locator('html').getAttribute('lang'), 'qps-ploc');
        for (const tab of TABS) {
          await inspector.tab(tab);
          assert.deepEqual(await unmarked(inspector.page, parts), [], tab);
          assert.deepEqual(await inspector.overflows(), [], tab);
        }
      });
    }
  }

  it('shows no English text in menus, details, dialogs and search', async () => {
    const parts = sandboxParts('caught-revert');
    const inspector = await show(parts, 400);
    const { page } = inspector;
    const check = async (what: string): Promise<void> => {
      assert.deepEqual(await unmarked(page, parts), [], what);
      assert.deepEqual(await inspector.overflows(), [], what);
    };
    await inspector.tab('calls');
    for (const button of await page.locator('[aria-haspopup=menu]').all()) {
      await button.click();
      await check('a menu');
      await page.keyboard.press('Escape');
    }
    const tree = page.getByRole('tree');
    await tree.focus();
    await page.keyboard.press('d');
    for (const { depth } of parts.flow.rows) {
      await page.keyboard.press('ArrowDown');
      await check(`the details, at depth ${depth}`);
    }
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await check('the keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    for (const query of ['nosuchtext', 'from:', 'gas:x', 'gas=1', 'type:x', 'fn>1', 'x>1', '- a']) {
      await page.locator('.search input').fill(query);
      await page.locator('.search-note').getByText('⟦').waitFor();
      const all = await unmarked(page, [parts, query]);
      assert.deepEqual(all, [], query);
    }
  });

  it('shows no English text in a comparison', async () => {
    const [parts, others] = [sandboxParts('caught-revert'), sandboxParts('flash-loan')];
    const inspector = await inspectors.open({ width: 400, translations });
    const { page } = inspector;
    const [left, right] = [sourceOf(parts.flow), sourceOf(others.flow)];
    const post = (...messages: ToComparison[]): Promise<void> =>
      inspector.post(...(messages as unknown as ToWebview[]));
    await post({ type: 'compare', left, right });
    await page.waitForFunction(
      () => window.fakeHost.sent.filter(({ type }) => (type as string) === 'side').length >= 4,
    );
    for (const [side, { flow, balanceChange }] of [
      ['left', parts],
      ['right', others],
    ] as const) {
      const all = [...partMessages('flow', flow), ...partMessages('balanceChange', balanceChange)];
      await post(...all.map((message) => ({ type: 'side', side, message }) as ToComparison));
    }
    await page.getByRole('complementary').waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      assert.deepEqual(await unmarked(page, [parts, others]), []);
      assert.deepEqual(await inspector.overflows(), []);
    }
  });

  it('shows no English text during the load, after a failure, and in a simulation', async () => {
    const { flow, ...parts } = sandboxParts('caught-revert');
    const inspector = await inspectors.open({ width: 400, translations });
    const { page } = inspector;
    const source = sourceOf(flow);
    assert.deepEqual(await unmarked(page, {}), []);
    await inspector.post({ type: 'open', source });
    const progress = { stage: 'replaying', done: 1, total: 2 };
    await inspector.post({ type: 'progress', part: 'flow', progress });
    assert.deepEqual(await unmarked(page, { source, progress }), []);
    const failure = { code: API_ERRORS.timedOut.code, message: 'too slow' };
    await inspector.post({ type: 'failed', part: 'flow', failure });
    // The service's messages are not translated.
    assert.deepEqual(await unmarked(page, { source, failure, said: API_ERRORS.timedOut }), []);
    const simulation = { method: 'replay' as const, blockNumber: 9, position: 2 };
    const simulated = { ...flow, verification: undefined, simulation };
    await inspector.post(...messagesOfParts({ ...parts, flow: simulated }));
    assert.deepEqual(await unmarked(page, { ...parts, flow }), []);
  });
});
