import type { Locator } from 'playwright-core';
import type { CodeWindow } from './code-window';

/** What a user does with the tests of the side bar. */
export class TestExplorer {
  readonly rows: Locator;

  constructor(private readonly code: CodeWindow) {
    this.rows = code.page.locator('.test-explorer .monaco-list-row');
  }

  async show(): Promise<void> {
    await this.code.command('View: Show Testing');
    await this.rows.first().waitFor();
  }

  /** The row of a test or of what contains tests. */
  row(name: string | RegExp): Locator {
    return this.rows.filter({ hasText: name }).first();
  }

  /** Shows what a row contains. */
  async open(name: string): Promise<void> {
    const row = this.row(name);
    await row.click();
    if ((await row.getAttribute('aria-expanded')) === 'true') return;
    await this.code.page.keyboard.press('ArrowRight');
    await this.rows
      .and(this.code.page.locator('[aria-expanded=true]'))
      .filter({ hasText: name })
      .waitFor();
  }

  /** Clicks an action of a row, such as `Run Test` and `Debug Test`. */
  async act(name: string | RegExp, action: string): Promise<void> {
    const row = this.row(name);
    await row.hover();
    await row.getByRole('button', { name: action }).click();
  }

  /** The row of a test with its result, such as `Passed`. */
  result(name: string, state: string): Locator {
    return this.code.page
      .locator(`.test-explorer .monaco-list-row[aria-label*="${state}"]`)
      .filter({ hasText: name })
      .first();
  }

  /** Chooses a profile for a test by its menu. */
  async runUsing(name: string, profile: string): Promise<void> {
    await this.code.contextMenu(this.row(name), 'Execute Using Profile...');
    await this.code.quickInput.locator('.monaco-list-row', { hasText: profile }).first().click();
  }

  /** The message of a failure at its line. */
  message(text: RegExp): Locator {
    return this.code.page
      .locator('.test-message-inline-content, .test-error-content-widget', { hasText: text })
      .first();
  }

  /** A line of the output of the last run. */
  output(text: string | RegExp): Locator {
    return this.code.page.locator('.xterm-rows > div', { hasText: text }).first();
  }
}
