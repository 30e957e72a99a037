import type { Locator } from 'playwright-core';
import type { CodeWindow } from './code-window';

/** What a user does with the debugger. */
export class DebugView {
  readonly frames: Locator;

  constructor(private readonly code: CodeWindow) {
    this.frames = code.page.locator('.debug-call-stack .stack-frame');
  }

  /**
   * Waits for a frame with this name and line.
   * @param place a line, or `line:column`
   * @param nth 0 for the innermost
   */
  async isAt(name: string, place: number | string, nth?: number): Promise<void> {
    const text = typeof place === 'number' ? `${place}:` : place;
    const number = this.code.page.locator('.line-number', { hasText: text });
    const frame = nth === undefined ? this.frames : this.frames.nth(nth);
    await frame.filter({ hasText: name }).filter({ has: number }).first().waitFor();
  }

  toolbar(title: string | RegExp): Locator {
    return this.code.page.locator('.debug-toolbar').getByRole('button', { name: title });
  }

  /** The row of a variable. */
  variable(text: string | RegExp): Locator {
    return this.code.page
      .locator('.debug-view-content .monaco-list-row', { hasText: text })
      .first();
  }

  /** Opens rows of variables one inside another. @returns the last one, which stays closed */
  async expanded(...texts: readonly RegExp[]): Promise<Locator> {
    const path = texts.map((text) => this.variable(text));
    for (const [at, row] of path.entries()) {
      // A click while the view takes in a new stop is lost.
      for (let attempt = 0; ; attempt++) {
        try {
          await row.waitFor({ timeout: 2_000 });
          break;
        } catch (error) {
          if (at === 0 || attempt === 10) throw error;
          await path[at - 1]!.click();
        }
      }
    }
    return path.at(-1)!;
  }

  /** Debugs a transaction of the sandbox, and waits for its source and its first stop. */
  async start(hash: string, file: string, frame: string, line: number): Promise<void> {
    await this.code.command('Forklens: Debug Transaction…');
    await this.code.answer('Transaction hash', hash);
    await this.code.page.getByRole('tab', { name: file }).waitFor();
    await this.code.command('View: Show Run and Debug');
    await this.isAt(frame, line);
  }

  async removeBreakpoints(): Promise<void> {
    await this.code.command('Debug: Focus on Breakpoints View');
    const pane = this.code.page.locator('.debug-pane:has([aria-label^="Breakpoints"])').last();
    await pane.hover();
    await pane.getByRole('button', { name: 'Remove All Breakpoints' }).click();
  }

  /** Sets a breakpoint on a line of the active editor. */
  async breakAt(line: number): Promise<void> {
    await this.goToLine(line);
    await this.code.command('Debug: Toggle Breakpoint');
    await this.code.page.locator('.codicon-debug-breakpoint').first().waitFor();
  }

  /** Sets a breakpoint with a condition on a line of the active editor. */
  async breakWhere(line: number, condition: string): Promise<void> {
    await this.goToLine(line);
    const { page } = this.code;
    await this.code.command('Debug: Add Conditional Breakpoint...');
    await page.locator('.breakpoint-widget .monaco-editor.focused').waitFor();
    // A space ends the suggestions, which would take the key that follows.
    await page.keyboard.type(`${condition} `);
    await page.keyboard.press('Enter');
    await page.locator('.codicon-debug-breakpoint-conditional').first().waitFor();
  }

  /** Adds a logpoint. @param message with expressions in braces */
  async logAt(line: number, message: string): Promise<void> {
    await this.goToLine(line);
    const { page } = this.code;
    await this.code.command('Debug: Add Logpoint...');
    await page.locator('.breakpoint-widget .monaco-editor.focused').waitFor();
    await page.keyboard.type(message);
    await page.keyboard.press('Enter');
    await page.locator('.codicon-debug-breakpoint-log').first().waitFor();
  }

  /** Goes to a line of the active editor. */
  async goToLine(line: number): Promise<void> {
    const { page } = this.code;
    await page.locator('.editor-instance .view-line').last().click();
    await page.keyboard.press('Control+G');
    await this.code.answer('', `:${line}`);
  }

  async end(): Promise<void> {
    await this.code.command('Debug: Stop');
    await this.code.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  }
}
