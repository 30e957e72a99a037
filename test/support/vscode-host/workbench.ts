import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, requireChromium } from './chromium';
import { startCodeServer, type CodeServer } from './code-server';
import { serviceSettings } from './service-settings';

export interface WorkbenchOptions {
  /** Folder of the extension under development, holding its package.json. */
  readonly extension?: string;
  /** Folder of another extension that is loaded beside it. */
  readonly companion?: string;
  /** A packed extension, installed in its place. */
  readonly vsix?: string;
  /** CommonJS bundle that exports `run(): Promise<void>`; it is run inside the extension host. */
  readonly suite?: string;
  readonly settings?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** What the extension host prints, while a suite runs. */
  readonly onLog?: (level: string, text: string) => void;
}

export interface Workbench {
  readonly page: Page;
  readonly server: CodeServer;
  /** The opened workspace folder, empty at the start. */
  readonly workspace: string;
  /** Exit code of the suite: 0 when it passed. Never settles without one. */
  readonly suiteEnded: Promise<number>;
  /** What the page's console printed, for reports of failures. */
  readonly console: readonly string[];
  /** Ends browser and server and removes their files. @returns command lines of processes that had to be killed. */
  close(): Promise<string[]>;
}

/** The part of the workbench's configuration that loads an extension from a folder; read from a `<meta>` at its start. */
interface DevelopmentOptions {
  readonly extensions: object[];
  readonly extensionTestsPath?: object;
}

/**
 * Runs in the page, before the workbench: adds the development options to its configuration as soon as the parser has
 * read it. Rewriting the document in flight would make the browser block the workbench's own loopback WebSocket.
 */
function injectDevelopmentOptions(options: DevelopmentOptions): void {
  if (window.top !== window) return;
  const observer = new MutationObserver(() => {
    const meta = document.getElementById('vscode-workbench-web-configuration');
    if (!meta) return;
    observer.disconnect();
    const configuration = JSON.parse(meta.dataset['settings'] ?? '{}') as object;
    meta.dataset['settings'] = JSON.stringify({ ...configuration, developmentOptions: options });
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function preparePage(
  context: BrowserContext,
  server: CodeServer,
  options: WorkbenchOptions,
): Promise<Pick<Workbench, 'page' | 'suiteEnded' | 'console'>> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  const page = context.pages()[0] ?? (await context.newPage());
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()} ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`pageerror ${error.message}`));
  let suiteExited: (code: number) => void = () => undefined;
  const suiteEnded = new Promise<number>((resolve) => (suiteExited = resolve));
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    suiteExited(code);
  });
  await page.exposeFunction('codeAutomationLog', (level: string, values: unknown[]) => {
    options.onLog?.(level, values.map(String).join(' '));
  });
  const uri = (file: string): object => ({
    scheme: 'vscode-remote',
    authority: new URL(server.url).host,
    path: file,
  });
  if (options.extension !== undefined) {
    await page.addInitScript(injectDevelopmentOptions, {
      extensions: [options.extension, ...(options.companion ? [options.companion] : [])].map(uri),
      ...(options.suite && { extensionTestsPath: uri(options.suite) }),
    });
  }
  return { page, suiteEnded, console: lines };
}

/** Opens one VS Code window in headless Chromium; private files, no trace left after {@link Workbench.close}. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const executablePath = requireChromium();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'forklens-code-'));
  const workspace = path.join(folder, 'workspace');
  fs.mkdirSync(workspace);
  const settings = { ...serviceSettings(folder), ...options.settings };
  const server = await startCodeServer(folder, { ...options, settings });
  let context: BrowserContext | undefined;
  const close = async (): Promise<string[]> => {
    await context?.close();
    const left = await server.stop();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    return left;
  };
  try {
    context = await chromium.launchPersistentContext(path.join(folder, 'browser'), {
      executablePath,
      env: server.env,
      viewport: { width: 1280, height: 800 },
      args: CHROMIUM_FLAGS,
    });
    const prepared = await preparePage(context, server, options);
    const query = new URLSearchParams({ folder: workspace });
    await prepared.page.goto(`${server.url}/?${query}`, { waitUntil: 'domcontentloaded' });
    return { ...prepared, server, workspace, close };
  } catch (error) {
    await close();
    throw error;
  }
}
