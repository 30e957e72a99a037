import assert from 'node:assert/strict';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const EXPLOIT = sandboxHash('exploit-reentrancy');

describe('a link to a debugger session in the workbench', function () {
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

  it('begins at the step of the session, with its breakpoints', async () => {
    await debug.start(EXPLOIT, 'EtherVault.sol', 'VaultThief.attack', 39);
    await debug.breakAt(21);
    await debug.toolbar(/^Continue/).click();
    await debug.isAt('EtherVault.withdraw', 21, 0);
    await code.command('Forklens: Copy Session Link');
    await code.page.locator('.statusbar-item', { hasText: 'the link of the session' }).waitFor();
    const link = await code.clipboard();
    const { searchParams } = new URL(link);
    assert.match(link, /^[a-z-]+:\/\/forklens\.forklens\/debug\?chain=sandbox&tx=0x/);
    assert.equal(searchParams.get('tx'), EXPLOIT);
    assert.deepEqual(searchParams.getAll('break'), ['EtherVault.sol:21']);

    await debug.end();
    await debug.removeBreakpoints();
    await code.page.locator('.codicon-debug-breakpoint').first().waitFor({ state: 'detached' });
    await code.command('View: Close All Editors');
    await code.openUrl(link.replace(/^[^:]*/, 'vscode'));
    await code.dialog.getByText('The link sets breakpoints: 1.').waitFor();
    await code.screenshot('session-link-question');
    await code.dialog.getByRole('button', { name: 'Debug' }).click();
    await code.command('View: Show Run and Debug');
    await debug.isAt('EtherVault.withdraw', 21, 0);
    await code.page.locator('.codicon-debug-breakpoint').first().waitFor();
    await code.screenshot('session-link');
    await debug.end();
  });
});
