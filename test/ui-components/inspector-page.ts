import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axeCore from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Translations } from '../../server/client/html';
import { inspectorHtml } from '../../extension/inspector/inspector-html';
import {
  fixture,
  messagesOf,
  messagesOfParts,
  sandboxParts,
  type SandboxFixture,
} from './fixtures';
import { CHROMIUM_FLAGS, requireChromium } from '../support/vscode-host/chromium';
import type {
  FromWebview,
  SavedState,
  TabId,
  ToWebview,
} from '../../media/inspector/protocol/protocol';

const ROOT = path.resolve(__dirname, '../..');
const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const ORIGIN = 'https://inspector.test';
const TYPES = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' } as const;

/** Styles that VS Code inserts into every webview before the extension's own styles. */
const DEFAULT_STYLES = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
    font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; } }
  html { background: var(--vscode-editor-background); scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }`;

type Theme = 'dark' | 'light' | 'hc-dark' | 'hc-light';
interface Look {
  bodyClass: string;
  variables: Record<string, string>;
}
/** Variables and classes that VS Code's built-in themes set in a webview, limited to those that our styles use. */
const themes = JSON.parse(
  readFileSync(path.join(ROOT, 'test/fixtures/inspector/themes.json'), 'utf8'),
) as Record<Theme, Look>;

interface InspectorPageOptions {
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
  var axe: typeof axeCore;
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
    await page.route(`${ORIGIN}/**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === '')
        return route.fulfill({ contentType: 'text/html', body: html(theme, translations) });
      const type = TYPES[path.extname(name).slice(1) as keyof typeof TYPES];
      return route.fulfill({
        contentType: type,
        body: readFileSync(path.join(ROOT, 'dist', name)),
      });
    });
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
    await this.page.evaluate(AXE);
    return this.page.evaluate(async (place) => {
      const { violations } = await window.axe.run(place, { resultTypes: ['violations'] });
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, ${nodes[0]?.html ?? ''})`,
      );
    }, within);
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
    return this.page
      .locator('.grid-row')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.children].map((cell) =>
            (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
          ),
        ),
      );
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** The shipped document with VS Code's additions: theme variables and default styles before the policy, a class on the body. */
function html(theme: Theme, translations: Translations | undefined): string {
  const { variables, bodyClass } = themes[theme];
  const style = Object.entries(variables)
    .map(([name, value]) => `${name}: ${value.replaceAll('"', "'")}`)
    .join('; ');
  return inspectorHtml({
    cspSource: ORIGIN,
    script: `${ORIGIN}/inspector.js`,
    style: `${ORIGIN}/inspector.css`,
    translations,
  })
    .replace('<html ', `<html style="${style}" `)
    .replace('<head>', `<head><style>${DEFAULT_STYLES}</style>`)
    .replace('<body>', `<body class="${bodyClass}">`);
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

interface Inspectors {
  /** An inspector that has not received any message. */
  open(options?: InspectorPageOptions): Promise<InspectorPage>;
  /** An inspector that shows a fixture's call tree. */
  show(name: Parameters<typeof fixture>[0], options?: InspectorPageOptions): Promise<InspectorPage>;
  /** An inspector that shows a tab of an analysis with all parts loaded. */
  showTab(name: SandboxFixture, tab: TabId, options?: InspectorPageOptions): Promise<InspectorPage>;
}

/** Hooks for a suite of inspectors in one browser. After each test its pages are closed; they must not have logged an error. */
export function useInspectors(): Inspectors {
  let browser: Browser;
  const pages: InspectorPage[] = [];
  before(async () => {
    buildInspector();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
  });
  afterEach(async () => {
    for (const inspector of pages.splice(0)) {
      await inspector.close();
      assert.deepEqual(inspector.problems, []);
    }
  });
  const inspectors: Inspectors = {
    async open(options) {
      const inspector = await InspectorPage.open(browser, options);
      pages.push(inspector);
      return inspector;
    },
    async show(name, options) {
      const inspector = await inspectors.open(options);
      await inspector.post(...messagesOf(fixture(name)));
      if (!options?.saved) await inspector.tab('calls');
      return inspector;
    },
    async showTab(name, tab, options) {
      const inspector = await inspectors.open(options);
      await inspector.post(...messagesOfParts(sandboxParts(name)));
      await inspector.tab(tab);
      return inspector;
    },
  };
  return inspectors;
}
