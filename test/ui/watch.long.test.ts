import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const CAROL = `0x${'ca'.repeat(20)}`;
/** Of the sandbox. */
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

describe('watching an address', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let url: string;

  before(async () => {
    code = window();
    await code.showView();
    url = await code.forkSandbox('bench');
  });

  const pay = (value: string): Promise<string> =>
    call(url, 'eth_sendTransaction', { from: ALICE, to: CAROL, value });

  it('starts from the menu of a fork, and is an entry in the view of chains', async () => {
    await code.contextMenu(code.row('bench'), 'Watch Address…');
    await code.answer('Address of an account or contract', CAROL);
    await code.toast('0xcaca…caca on bench is watched').waitFor();
    await code.dismissToasts();
    await code.showPane('Projects', false);
    await code.showPane('Chains');
    await code.row(/0xcaca…caca.*bench · up to block/).waitFor();
    assert.match((await code.rows())[0]!, /^Watched ?1$/);
  });

  it('notifies of a transaction, and opens its analysis', async () => {
    await pay('0x64');
    const toast = code.toast('0xcaca…caca on bench: native transfer.');
    await toast.waitFor();
    await code.row(/0xcaca…caca.*1 transaction/).waitFor();
    await code.screenshot('watch');
    await toast.getByRole('button', { name: 'Analyze' }).click();
    await code.inspector().locator('.overview').waitFor();
  });

  it('groups the transactions of a block into one notification', async () => {
    await call(url, 'evm_setAutomine', false);
    for (let value = 1; value <= 4; value++) await pay(`0x${value}`);
    await call(url, 'evm_mine');
    await call(url, 'evm_setAutomine', true);
    const toast = code.toast('0xcaca…caca on bench: 4 transactions, the newest is native transfer');
    await toast.waitFor();
    await code.row(/0xcaca…caca.*5 transactions/).click();
    await code.row(/native transfer.*0xcaca…caca/).waitFor();
    await code.screenshot('watch-grouped');
    await toast.getByRole('button', { name: 'Analyze…' }).click();
    await code.choose('Transaction', '0.000000000000000002 ETH');
    await code.inspector().locator('.overview').waitFor();
    await code.dismissToasts();
  });

  it('goes on after a reload of the window, without waking the fork', async () => {
    await code.command('View: Close All Editors');
    await code.reload();
    await code.welcome.getByRole('button', { name: 'Start Service' }).first().click();
    await code.row(/0xcaca…caca.*bench · paused: the fork does not run/).waitFor();
    await pay('0x7');
    await code.toast('0xcaca…caca on bench: native transfer').waitFor();
    await code.dismissToasts();
  });

  it('ends from its row', async () => {
    await code.contextMenu(code.row(/0xcaca…caca/), 'Stop Watching');
    await code.row('Watched').waitFor({ state: 'detached' });
    assert.ok((await code.rows()).some((row) => row.startsWith('Sandbox')));
    await code.command('Forklens: Stop Watching');
    await code.toast('Nothing is watched in this workspace.').waitFor();
  });
});
