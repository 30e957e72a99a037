import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually';
import {
  openWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from '../../support/vscode-host/workbench';

const ROOT = path.resolve(__dirname, '../../..');
const SCREENSHOTS = path.join(ROOT, 'test/output/screenshots');
/** Long, because the machine may be slow. Every wait ends as soon as its condition holds. */
const WAIT_MS = 60_000;
/** Time-out of a suite in the workbench: each of its tests, and the start of the workbench. */
export const WORKBENCH_MS = 180_000;

type WindowOptions = Pick<WorkbenchOptions, 'vsix' | 'companion' | 'workspaceTrust' | 'folders'>;

/**
 * Opens a window before the tests of the calling suite, and closes it after them. The tests depend on each other: after
 * a failure, which is saved as a screenshot, the rest is skipped.
 * @returns the window, for use inside the tests
 */
export function useCodeWindow(
  settings: Record<string, unknown> = {},
  options: WindowOptions = {},
): () => CodeWindow {
  let code: CodeWindow | undefined;
  before(async () => {
    code = await CodeWindow.open(settings, options);
  });
  let broken = false;
  beforeEach(function () {
    if (broken) this.skip();
  });
  afterEach(async function () {
    const test = this.currentTest;
    if (!test?.isFailed()) return;
    broken = true;
    await code?.screenshot(`failed-${test.fullTitle().replaceAll(/\W+/g, '-')}`);
  });
  after(() => code?.close());
  return () => {
    if (!code) throw new Error('the window is open inside tests only');
    return code;
  };
}

/** A hash in the short form of titles and inspectors. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}

/** One VS Code window with the extension, with the actions of a user. */
export class CodeWindow {
  /** Rows of the Forklens view. */
  readonly tree: Locator;
  readonly quickInput: Locator;
  readonly welcome: Locator;
  /** The service's item in the status bar; its label is the sentence of its tooltip. */
  readonly status: Locator;
  readonly dialog: Locator;

  private constructor(
    readonly workbench: Workbench,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(WAIT_MS);
    this.tree = this.page.locator('.sidebar .monaco-list-row[role=treeitem]');
    this.quickInput = this.page.locator('.quick-input-widget');
    this.welcome = this.page.locator('.sidebar .welcome-view-content');
    this.status = this.page.locator('.statusbar-item[id$="forklens.service"] [aria-label]');
    this.dialog = this.page.locator('.monaco-dialog-box');
  }

  static async open(
    settings: Record<string, unknown> = {},
    options: WindowOptions = {},
  ): Promise<CodeWindow> {
    const own = options.vsix === undefined ? { extension: ROOT } : {};
    const workbench = await openWorkbench({ ...own, ...options, settings });
    return new CodeWindow(workbench, workbench.page);
  }

  /** Opens a folder in another window, which closes with this window's host. */
  async openWindow(folder: string): Promise<CodeWindow> {
    return new CodeWindow(this.workbench, await this.workbench.openWindow(folder));
  }

  /** @throws Error with the processes that outlived the window */
  async close(): Promise<void> {
    const left = await this.workbench.close();
    if (left.length > 0) throw new Error(`processes outlived VS Code:\n${left.join('\n')}`);
  }

  /** Opens or closes a view of the side bar by its title. */
  async showPane(title: string, isOpen = true): Promise<void> {
    const header = this.page.locator(`.sidebar .pane-header[aria-label^="${title}"]`);
    await header.waitFor();
    // Its middle may be taken by the icons of its actions.
    const text = header.locator('.title');
    if ((await header.getAttribute('aria-expanded')) !== String(isOpen)) await text.click();
    await this.page
      .locator(`.sidebar .pane-header[aria-label^="${title}"][aria-expanded="${isOpen}"]`)
      .waitFor();
  }

  /** Shows the Forklens view, with the projects alone. Uses a command, because a click on its icon would hide a view that is being restored. */
  async showView(): Promise<void> {
    await this.page.locator('.activitybar a[aria-label^="Forklens"]').waitFor();
    await this.command('Forklens: Focus on Projects View');
    await this.page.locator('.sidebar .title-label', { hasText: /forklens/i }).waitFor();
    await this.showPane('Chains', false);
  }

  /** A row of the Forklens view by its label or a part of its text. */
  row(text: string | RegExp): Locator {
    return this.tree.filter({ hasText: text }).first();
  }

  /** The labels and descriptions of all rows in view, from top to bottom. */
  async rows(): Promise<string[]> {
    const texts = await this.tree.allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }

  /** Selects an item of a row's context menu. */
  async contextMenu(row: Locator, item: string): Promise<void> {
    const entry = this.page.locator('.monaco-menu .action-item', { hasText: item });
    const focused = this.page.locator('.monaco-menu .action-item.focused', { hasText: item });
    await eventually(async () => {
      await row.click({ button: 'right' });
      try {
        // A focus that moves while the workbench is busy closes the menu. A key would then go elsewhere, but a click fails.
        await entry.hover({ timeout: 5_000 });
        // A click too soon after the menu opened would count as the end of the click that opened it.
        await focused.waitFor({ timeout: 5_000 });
        await entry.click({ timeout: 5_000 });
        await entry.waitFor({ state: 'detached', timeout: 20_000 });
      } catch (error) {
        await this.page.keyboard.press('Escape');
        throw error;
      }
    }, WAIT_MS);
  }

  /** Runs a command from the palette by its title, such as `Forklens: Create Fork…`. */
  async command(title: string): Promise<void> {
    const row = this.quickInput.locator('.monaco-list-row', { hasText: title }).first();
    await this.#openUntilListed('F1', `>${title}`, row);
    await row.click();
  }

  /**
   * Runs a command with arguments, which the palette does not support, through a key binding. Reloads the window.
   * @param title title of the editor that the command opens
   */
  async commandWith(command: string, args: object, title: string): Promise<void> {
    const file = path.join(this.workbench.server.folder, 'user-data/User/keybindings.json');
    fs.writeFileSync(file, JSON.stringify([{ key: 'ctrl+alt+f9', command, args }]));
    await this.reload();
    const tab = this.page.locator('.tab.active', { hasText: title });
    // The key works only after the workbench has read the file. Opening the same editor twice has no effect.
    await eventually(async () => {
      await this.page.keyboard.press('Control+Alt+F9');
      await tab.waitFor({ timeout: 2_000 });
    }, WAIT_MS);
  }

  /** Opens a file of the workspace folder in an editor. */
  async openFile(name: string): Promise<void> {
    await this.pickFile(name);
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
  }

  /**
   * Shows the lens of the first lines in the active editor that has this text. A lens outside the view is hidden, and keys go elsewhere
   * while the workbench is busy.
   */
  async firstLens(text: string): Promise<Locator> {
    const lens = this.page
      .locator('.codelens-decoration a', { hasText: text })
      .filter({ visible: true })
      .first();
    await eventually(async () => {
      await this.command('View: Focus Active Editor Group');
      await this.page.keyboard.press('ControlOrMeta+Home');
      await lens.waitFor({ timeout: 2_000 });
    }, WAIT_MS);
    return lens;
  }

  /** Picks a file of the workspace folder. What it opens may have another name. */
  async pickFile(name: string): Promise<void> {
    // The best match is focused. More rows are added below while a click would be under way.
    const best = this.quickInput.locator(`.monaco-list-row.focused[aria-label^="${name}"]`);
    await this.#openUntilListed('ControlOrMeta+P', name, best, 5_000);
    await this.page.keyboard.press('Enter');
  }

  /**
   * Opens a list by its key, and types into it until it has the row. An open list does not get what is found later, such as commands that
   * are registered and files that are written, so it is opened again.
   */
  async #openUntilListed(key: string, text: string, row: Locator, timeout = 2_000): Promise<void> {
    await eventually(async () => {
      await this.page.keyboard.press(key);
      try {
        // A workbench that moves the focus during its start closes the list again.
        await this.quickInput.locator('input.input').fill(text, { timeout: 2_000 });
        await row.waitFor({ timeout });
      } catch (error) {
        await this.page.keyboard.press('Escape');
        await this.quickInput.waitFor({ state: 'hidden' });
        throw error;
      }
    }, WAIT_MS);
  }

  /** Opens a link to the extension as another program does, and confirms the editor's question. */
  async openUrl(url: string): Promise<void> {
    await this.command('Developer: Open URL');
    await this.answer('URL to open', url);
    const agree = this.dialog.getByRole('button', { name: 'Open' });
    await agree.click();
    await agree.waitFor({ state: 'detached' }); // the link's own question may follow
  }

  /** Waits for the input that shows `prompt`, fills it in and accepts it. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.quickInput.filter({ hasText: prompt }).waitFor();
    const input = this.quickInput.locator('input.input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Waits for the file dialog with this title, and accepts its proposed path. @returns the path */
  async acceptPath(title: string, extension: string): Promise<string> {
    const dialog = this.quickInput.filter({ hasText: title });
    // The dialog has read the folder: an earlier answer would be lost.
    await dialog.locator('.monaco-list-row', { hasText: '..' }).waitFor();
    const input = dialog.locator('input.input');
    const place = await input.inputValue();
    assert.match(place, new RegExp(`^/.*\\.${extension}$`));
    await input.press('Enter');
    return place;
  }

  /**
   * Waits for the list with `placeholder` and for the item in it, and picks it.
   * @param filter text to type first, because only items in view can be picked
   */
  async choose(
    placeholder: string | RegExp,
    item: string | RegExp,
    filter?: string,
  ): Promise<void> {
    await this.quickInput.getByPlaceholder(placeholder).waitFor();
    if (filter !== undefined) await this.quickInput.locator('input.input').fill(filter);
    await this.quickInput.locator('.monaco-list-row', { hasText: item }).first().click();
  }

  /** Forks the built-in chain from the view of projects. @returns the RPC URL */
  async forkSandbox(name: string): Promise<string> {
    await this.row('Create a fork…').click();
    await this.createSandboxFork(name);
    await this.dismissToasts();
    return this.copyRpcUrl(name);
  }

  /** Completes the wizard of a new fork: of the built-in chain, at its newest block. */
  async createSandboxFork(name: string): Promise<void> {
    await this.choose(/^Chain to fork/, 'sandbox');
    await this.answer('Block to fork from', 'safe');
    await this.choose(/^Where in block/, 'After the whole block');
    await this.answer('Name of the fork', name);
    await this.choose(/^Use a separate chain id/, 'Off');
    await this.toast(`Fork "${name}" of sandbox is ready`).waitFor();
  }

  /** @param fork label of its row, which must be in view */
  async copyRpcUrl(fork: string): Promise<string> {
    await this.contextMenu(this.row(fork), 'Copy RPC URL');
    // With the name, because the status bar may still show the previous copy.
    const copied = this.page.locator('.statusbar-item', {
      hasText: `Copied the RPC URL of ${fork}`,
    });
    // VS Code forgets a row while it is loaded again: a menu of it then acts as the palette does, which asks for the fork.
    const asked = this.quickInput
      .getByPlaceholder('Fork', { exact: true })
      .filter({ visible: true });
    await copied.or(asked).first().waitFor();
    if (await asked.isVisible()) await this.choose('Fork', fork);
    await copied.waitFor();
    return this.clipboard();
  }

  /** Analyzes a transaction of a chain or a fork. @returns its inspector, once the analysis is shown */
  async analyze(hash: string, place: string): Promise<FrameLocator> {
    await this.command('Forklens: Analyze Transaction…');
    await this.answer('Transaction hash', hash);
    await this.choose('Chain or fork of the transaction', place);
    const inspector = this.inspector();
    await inspector.locator('header', { hasText: shortHash(hash) }).waitFor();
    return inspector;
  }

  /** The visible notification with this text. */
  toast(text: string | RegExp): Locator {
    return this.page
      .locator('.notifications-toasts .notification-toast', { hasText: text })
      .first();
  }

  async dismissToasts(): Promise<void> {
    await this.command('Notifications: Clear All Notifications');
    await this.page
      .locator('.notifications-toasts .notification-toast')
      .first()
      .waitFor({ state: 'detached' });
  }

  /** The document inside the visible inspector. */
  inspector(): FrameLocator {
    return this.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .locator('iframe#active-frame')
      .contentFrame();
  }

  /** Chooses an action of the visible inspector that has no button of its own. */
  async chooseAction(name: string): Promise<void> {
    const inspector = this.inspector();
    await inspector.getByRole('button', { name: 'More actions' }).click();
    await inspector.getByRole('menuitem', { name }).click();
  }

  /** The text that the last copy action wrote to the clipboard. */
  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Reloads the window as its user does: unlike a reload of the page, this lets the editor save its state first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded');
    await this.command('Developer: Reload Window');
    await loaded;
    await this.page.locator('.monaco-workbench .activitybar').waitFor();
  }

  /** @param theme label of a built-in colour theme @param baseClass class that the theme sets on the workbench */
  async setTheme(
    theme: string,
    baseClass: 'vs' | 'vs-dark' | 'hc-black' | 'hc-light',
  ): Promise<void> {
    this.workbench.server.changeSettings({ 'workbench.colorTheme': theme });
    await this.page.locator(`.monaco-workbench.${baseClass}`).waitFor();
  }

  /** Saves a screenshot as `test/output/screenshots/<name>.png`. */
  async screenshot(name: string): Promise<void> {
    fs.mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({
      path: path.join(SCREENSHOTS, `${name}.png`),
      animations: 'disabled',
    });
  }
}
