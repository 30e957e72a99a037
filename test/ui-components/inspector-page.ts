import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Translations } from '../../server/client/html';
import { inspectorHtml } from '../../extension/inspector/inspector-html';
import { axeFindings, ORIGIN, serveBundles, themedHtml, type Theme } from './themed-page';
import { CHROMIUM_FLAGS, requireChromium } from '../support/vscode-host/chromium';
import type {
  FromWebview,
  SavedState,
  TabId,
  ToWebview,
} from '../../media/inspector/protocol/protocol';

const ROOT = path.resolve(__dirname, '../..');
export interface InspectorPageOptions {
  theme?: Theme;
  width?: number;
  height?: number;
  saved?: SavedState;
  translations?: Translations;
}

/** State of the fake `acquireVsCodeApi`. */
interface Fake {
  sent: FromWebview[];
  state: SavedState | undefined;
}
declare global {
  var fakeHost: Fake;
  var inspectorReady: () => void;
}

/** The shipped bundle in a real browser, with the shipped content security policy. The test acts as the extension host. */
export class InspectorPage {
  readonly problems: string[] = [];

  private constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  static async open(browser: Browser, options: InspectorPageOptions = {}): Promise<InspectorPage> {
    const { theme = 'dark', width = 1200, height = 800, saved, translations } = options;
    const page = await browser.newPage({ viewport: { width, height } });
    const inspector = new InspectorPage(page);
    await serveBundles(page, html(theme, translations));
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    await page.exposeFunction('inspectorReady', () => {
      isReady();
    });
    // The test runner's transpiler wraps functions in a helper that does not exist in the browser.
    await page.addInitScript('globalThis.__name = (wrapped) => wrapped;');
    await page.addInitScript((state) => {
      const fake: Fake = { sent: [], state };
      window.fakeHost = fake;
      Object.assign(window, {
        acquireVsCodeApi: () => ({
          postMessage: (message: FromWebview) => {
            fake.sent.push(message);
            if (message.type === 'ready') window.inspectorReady();
          },
          getState: () => fake.state,
          setState: (next: SavedState) => (fake.state = next),
        }),
      });
    }, saved);
    await page.goto(ORIGIN);
    await ready;
    return inspector;
  }

  async post(...messages: ToWebview[]): Promise<void> {
    // As text, because the driver serializes objects slowly and some tests send a huge trace.
    await this.page.evaluate(async (json) => {
      for (const message of JSON.parse(json) as ToWebview[]) window.postMessage(message);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }, JSON.stringify(messages));
  }

  /** Selects a tab, in the menu if the window is narrow, and waits until it is loaded. */
  async tab(id: TabId): Promise<void> {
    const tab = this.page.locator(`#tab-${id}`);
    if (await tab.isVisible()) await tab.click();
    else await this.page.getByRole('combobox', { name: 'View' }).selectOption(id);
    await this.page.locator(`#panel-${id}`).waitFor();
    await this.page.locator('.panel .skeleton-rows').waitFor({ state: 'detached' });
  }

  /** Violations that axe-core finds, one line for each rule, with the first element. @param within a selector */
  async accessibilityFaults(within = 'html'): Promise<string[]> {
    return axeFindings(this.page.mainFrame(), within);
  }

  /** Elements whose content is wider than they are. */
  overflows(): Promise<string[]> {
    return this.page.evaluate(() =>
      [
        ...document.querySelectorAll(
          '.inspector, .header, .tab-bar, .tab-tools, .scroller, .grid-scroller, .tree-scroller, .details-body',
        ),
      ]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => `${element.className} is too wide`),
    );
  }

  sent(): Promise<FromWebview[]> {
    return this.page.evaluate(() => window.fakeHost.sent);
  }

  state(): Promise<SavedState | undefined> {
    return this.page.evaluate(() => window.fakeHost.state);
  }

  /** Accessible names of the tree's rows in view, top to bottom. */
  async rows(): Promise<string[]> {
    return this.page
      .locator('[role=treeitem]')
      .evaluateAll((items) =>
        items
          .sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
          .map((item) => item.querySelector('.spoken')?.textContent ?? ''),
      );
  }

  /** The cells of a table's rows in view, top to bottom. */
  async cells(): Promise<string[][]> {
    const heads = await this.page.locator('.grid-head > *').allInnerTexts();
    const buttons = heads.findIndex((head) => head.trim() === 'Writer');
    return this.page
      .locator('.grid-row')
      .evaluateAll(
        (rows, left) =>
          rows.map((row) =>
            [...row.children]
              .filter((_, index) => index !== left)
              .map((cell) => (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
          ),
        buttons,
      );
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

function html(theme: Theme, translations: Translations | undefined): string {
  const shipped = inspectorHtml({
    cspSource: ORIGIN,
    script: `${ORIGIN}/inspector.js`,
    style: `${ORIGIN}/inspector.css`,
    translations,
  });
  return themedHtml(shipped, theme);
}

export function buildInspector(): void {
  execFileSync(process.execPath, ['esbuild.mjs', 'inspector'], { cwd: ROOT, stdio: 'inherit' });
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium(),
    args: CHROMIUM_FLAGS,
  });
}
