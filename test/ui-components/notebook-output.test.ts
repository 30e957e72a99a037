import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import type { PageData } from '../../media/inspector/protocol/page-data';
import type { TabId } from '../../media/inspector/protocol/protocol';
import { sandboxParts, sourceOf, type SandboxFixture } from './fixtures';
import { sharedBrowser } from './shared-browser';
import { axeFindings, ORIGIN, serveBundles, themedHtml, THEMES } from './themed-page';

const SCREENSHOTS = path.resolve(__dirname, '../output/screenshots/notebook');
const DOCUMENT = '<!DOCTYPE html><html lang="en"><head><title>Outputs</title></head><body></body>';
const TEXTS = { open: 'Open in Inspector', frame: 'Analysis of a transaction' };

describe('an output of a notebook', () => {
  let page: Page;
  let problems: string[];
  before(async function () {
    this.timeout(60_000);
    await sharedBrowser();
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });

  /** Opens a document of outputs, and has the renderer show an analysis in it. */
  async function show(
    theme: (typeof THEMES)[number],
    name: SandboxFixture,
    tab?: TabId,
  ): Promise<Frame> {
    problems = [];
    page = await (await sharedBrowser()).newPage({ viewport: { width: 400, height: 640 } });
    page.on('pageerror', ({ message }) => problems.push(message));
    await serveBundles(page, themedHtml(DOCUMENT, theme));
    await page.goto(ORIGIN);
    const parts = sandboxParts(name);
    const data: PageData = { source: sourceOf(parts.flow), parts, ...(tab && { tab }) };
    const json = JSON.stringify({ page: data, texts: TEXTS });
    await page.addScriptTag({
      type: 'module',
      content: `
        import { activate } from './notebook-renderer.js';
        globalThis.messages = [];
        const output = document.body.appendChild(document.createElement('section'));
        output.ariaLabel = 'Output';
        const { renderOutputItem } = activate({ postMessage: (message) => messages.push(message) });
        await renderOutputItem({ json: () => (${json.replaceAll('<', '\\u003c')}) }, output);`,
    });
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    assert.ok(frame);
    await frame.locator('.panel').first().waitFor();
    return frame;
  }

  for (const theme of THEMES) {
    it(`has no fault at 400 px in ${theme}`, async () => {
      const views = [
        ['flash-loan', undefined],
        ['caught-revert', 'calls'],
        ['flash-loan', 'balances'],
      ] as const;
      for (const [name, tab] of views) {
        await show(theme, name, tab);
        const file = `${name}-${tab ?? 'overview'}-${theme}-400.png`;
        await page.screenshot({ path: path.join(SCREENSHOTS, file), animations: 'disabled' });
        assert.deepEqual(await axeFindings(page.mainFrame()), [], file);
        const widths = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.querySelector('iframe')?.contentDocument?.documentElement.scrollWidth,
        ]);
        assert.ok(Math.max(...widths.map((width) => width ?? Infinity)) <= 400, file);
        if (tab !== views.at(-1)?.[1]) await page.close();
      }
    });
  }

  it('asks the editor for the inspector, and follows the theme', async () => {
    const frame = await show('dark', 'approve');
    await page.getByRole('button', { name: 'Open in Inspector' }).click();
    const messages = await page.evaluate('messages');
    assert.deepEqual(messages, [{ source: sourceOf(sandboxParts('approve').flow) }]);
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-foreground', 'rgb(1, 2, 3)');
      document.body.className = 'vscode-light';
    });
    await frame.locator('body.vscode-light').waitFor();
    const color = await frame.evaluate(() =>
      document.documentElement.style.getPropertyValue('--vscode-foreground'),
    );
    assert.equal(color, 'rgb(1, 2, 3)');
  });
});
