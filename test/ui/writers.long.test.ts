import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const GO = 'Go to Writer: the step, line and call that wrote this';

describe('what wrote a value, in the workbench', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    await code.showView();
    await code.row('default').waitFor();
  });

  it('is listed for a change of the state, and opens in the debugger', async () => {
    const inspector = await code.analyze(sandboxHash('exploit-reentrancy'), 'sandbox');
    await inspector.getByRole('tab', { name: /State/ }).click();
    const row = inspector.getByRole('row', { name: /^balance/ }).last();
    await row.hover();
    await row.getByRole('button', { name: GO }).click();
    await code.quickInput.getByPlaceholder('In order of execution').waitFor();
    await code.screenshot('writers-of-balance');
    await code.choose('In order of execution', /EtherVault\.withdraw/);
    await code.command('View: Show Run and Debug');
    await debug.isAt('EtherVault.withdraw', 21);
    await code.screenshot('writers-debugger');
  });

  it('is listed for a local variable, from its menu', async () => {
    const row = code.page.locator('.debug-view-content .monaco-list-row', { hasText: /^amount/ });
    await code.contextMenu(row.first(), 'Go to Writer…');
    const items = code.quickInput.locator('.monaco-list-row');
    await items
      .filter({ hasText: /EtherVault\.withdraw, line \d+ · → 2000000000000000000/ })
      .waitFor();
    await code.screenshot('writers-of-local');
    await code.choose('The debugger goes to the step', /line 20 · read/);
    await debug.isAt('EtherVault.withdraw', 20);
  });

  it('is listed for a variable of the debugger, and a step can be gone to', async () => {
    await code.command('Forklens: Go to Writer…');
    await code.answer('A variable, such as', 'balanceOf[msg.sender]');
    await code.quickInput
      .locator('.monaco-list-row', { hasText: 'EtherVault.deposit' })
      .first()
      .waitFor();
    await code.screenshot('writers-of-variable');
    await code.choose('The debugger goes to the step', /EtherVault\.deposit/);
    await debug.isAt('EtherVault.deposit', 14);
    await code.command('Forklens: Go to Step…');
    await code.answer('Number of a step', '0');
    await debug.isAt('VaultThief', 39);
    await code.screenshot('writers-step');
  });
});
