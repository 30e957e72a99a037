import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

describe('the first run', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    // Images are shown beside the steps if the window is wide.
    await code.page.setViewportSize({ width: 1600, height: 900 });
    await code.page.locator('.activitybar a[aria-label^="Forklens"]').waitFor();
  });

  const step = (title: string) =>
    code.page.locator('.getting-started-step', { hasText: title }).first();
  const done = (title: string) =>
    step(title).locator('.codicon-getting-started-step-checked').waitFor();

  it('begins with a walkthrough', async () => {
    await code.command('Forklens: Open Walkthrough');
    await step('See what a transaction did').waitFor();
    await code.page.locator('iframe.webview.ready').waitFor();
    await code.screenshot('walkthrough');
  });

  it('leads to an analyzed transaction, without network or account', async () => {
    await code.page.getByRole('button', { name: 'Choose a transaction' }).click();
    await code.choose('Transaction of the built-in chain', /swap/i, 'swap');
    await code.inspector().locator('[role=tab]').first().waitFor();
    await code.screenshot('walkthrough-analysed');
    await code.command('Forklens: Open Walkthrough');
    await done('See what a transaction did');
  });

  it('leads to a first fork', async () => {
    await step('Make a fork').click();
    await code.page.getByRole('button', { name: 'Create a fork' }).click();
    await code.createSandboxFork('first');
    await done('Make a fork');
    await code.screenshot('walkthrough-forked');
  });

  it('shows every step in every kind of theme', async () => {
    for (const [name, theme, base] of [
      ['light', 'Default Light Modern', 'vs'],
      ['high-contrast', 'Default High Contrast', 'hc-black'],
      ['dark', 'Default Dark Modern', 'vs-dark'],
    ] as const) {
      await code.setTheme(theme, base);
      for (const title of [
        'Use it from your tools',
        'Add your RPC endpoint',
        'Let agents use it',
      ]) {
        await step(title).click();
        await code.screenshot(`walkthrough-${title.split(' ', 1).join('').toLowerCase()}-${name}`);
      }
    }
  });

  it('offers a doctor', async () => {
    await code.command('Forklens: Run Doctor');
    const preview = code.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .locator('iframe#active-frame')
      .contentFrame();
    await preview.getByRole('heading', { name: 'Forklens Doctor' }).waitFor();
    await preview.getByRole('cell', { name: /^anvil 1\.5\.1 at/ }).waitFor();
    await code.screenshot('doctor');
  });
});
