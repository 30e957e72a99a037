import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, requireChromium } from './chromium';
import { startCodeServer, type CodeServer, type CodeServerOptions } from './code-server';
import { serviceSettings } from './service-settings';

export interface WorkbenchOptions extends CodeServerOptions {
  /** Folder of the extension under development, which contains its package.json. */
  readonly extension?: string;
  /** Folder of another extension that is also loaded. */
  readonly companion?: string;
  /** CommonJS bundle that exports `run(): Promise<void>`; it runs inside the extension host. */
  readonly suite?: string;
  /** Names of folders to create in `workspace`. They are opened together instead of `workspace`. */
  readonly folders?: readonly string[];
  /** Receives the output of the extension host while a suite runs. */
  readonly onLog?: (level: string, text: string) => void;
}

export interface Workbench {
  readonly page: Page;
  readonly server: CodeServer;
  /** The opened folder, initially empty; the parent folder if several are opened. */
  readonly workspace: string;
  /** Exit code of the suite: 0 if it passed. Never settles without a suite. */
  readonly suiteEnded: Promise<number>;
  /** Console output of the page, for failure reports. */
  readonly console: readonly string[];
  /** Opens a folder in another window of the same user. */
  openWindow(folder: string): Promise<Page>;
  /** Ends browser and server and removes their files. @returns command lines of processes that had to be killed */
  close(): Promise<string[]>;
}

/**
 * The part of the workbench's configuration that loads an extension from a folder; the workbench reads it from a `<meta>` element at its
 * start.
 */
interface DevelopmentOptions {
  readonly extensions: object[];
  readonly extensionTestsPath?: object;
}

/**
 * Runs in the page before the workbench: adds the development options to its configuration as soon as the parser has
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
  page: Page,
  server: CodeServer,
  options: WorkbenchOptions,
): Promise<Pick<Workbench, 'page' | 'suiteEnded' | 'console'>> {
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

/** Query parameters of a window's URL: `workspace` itself, or a workspace file with the folders created in it. */
function placeToOpen(workspace: string, folders: readonly string[]): Record<string, string> {
  if (folders.length === 0) return { folder: workspace };
  for (const name of folders) fs.mkdirSync(path.join(workspace, name));
  const file = path.join(workspace, 'all.code-workspace');
  fs.writeFileSync(file, JSON.stringify({ folders: folders.map((name) => ({ path: name })) }));
  return { workspace: file };
}

async function goTo(page: Page, server: CodeServer, place: Record<string, string>): Promise<void> {
  const query = new URLSearchParams(place);
  await page.goto(`${server.url}/?${query}`, { waitUntil: 'domcontentloaded' });
}

/** Opens one VS Code window in headless Chromium. All files are private and are removed by {@link Workbench.close}. */
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
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    const windows = context;
    const openWindow = async (other: string): Promise<Page> => {
      const { page } = await preparePage(await windows.newPage(), server, options);
      await goTo(page, server, { folder: other });
      return page;
    };
    const first = context.pages()[0] ?? (await context.newPage());
    const prepared = await preparePage(first, server, options);
    await goTo(first, server, placeToOpen(workspace, options.folders ?? []));
    return { ...prepared, server, workspace, openWindow, close };
  } catch (error) {
    await close();
    throw error;
  }
}
