import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { loadSandboxContracts } from '../../server/chains/sandbox/parts/contracts';
import { planSandbox } from '../../server/chains/sandbox/plan';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const CAROL = `0x${'ca'.repeat(20)}`;
const DAVE = `0x${'da'.repeat(20)}`;
const [HBR] = Object.entries(planSandbox(loadSandboxContracts()).contractNames).find(
  ([, name]) => name === 'HarborToken',
)!;

describe('commands on a fork', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let url: string;

  before(async () => {
    code = window();
    await code.showView();
    url = await code.forkSandbox('bench');
    await call(url, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
  });

  const balance = (account: string): Promise<string> =>
    call(url, 'eth_getBalance', account, 'latest');

  it("funds an account with tokens, using the token's decimals", async () => {
    await code.contextMenu(code.row('bench'), 'Fund Account…');
    await code.choose('Asset of the account', 'ERC-20 token');
    await code.answer('Address of the ERC-20 token', HBR);
    await code.answer('Account to fund with HBR', DAVE);
    await code.answer('New balance in HBR', '2.5');
    await code.toast(/0xdada…dada has its HBR on "bench"/).waitFor();
    const data = `0x70a08231${DAVE.slice(2).padStart(64, '0')}`;
    assert.equal(
      BigInt(await call(url, 'eth_call', { to: HBR, data }, 'latest')),
      25n * 10n ** 17n,
    );
    await code.dismissToasts();
  });

  it('lets an account send without its key', async () => {
    await code.contextMenu(code.row('bench'), 'Impersonate Account…');
    await code.answer('Account to send from without its key', CAROL);
    await code.toast('0xcaca…caca can send transactions on "bench" unsigned.').waitFor();
    await code.dismissToasts();
    await call(url, 'eth_sendTransaction', { from: CAROL, to: DAVE, value: '0x64' });
    assert.equal(await balance(DAVE), '0x64');
  });

  it('sends a transaction again with changes, beside the original', async () => {
    await code.row('bench').click();
    await code.row('native transfer').waitFor();
    await code.contextMenu(code.row('native transfer'), 'Send Again With Changes…');
    await code.choose('Change fields, then choose', /^Value/);
    await code.answer('Value in wei', '1,000');
    await code.choose('Change fields, then choose', 'Send');
    const side = /bench 0x[0-9a-f]{4}…[0-9a-f]{4}/.source;
    const title = new RegExp(`^${side} ↔ ${side}$`);
    await code.page.locator('.tab.active .label-name').filter({ hasText: title }).waitFor();
    await code.row(/bench.*running · 2 tx/).waitFor();
    assert.equal(await balance(DAVE), '0x44c');
    await code.screenshot('sent-again');
  });

  it('forks right before a transaction, from its inspector', async () => {
    await code.row('native transfer').click();
    await code.inspector().getByRole('button', { name: 'Fork Before' }).click();
    await code.answer(/all that was done on "bench" before the transaction/, 'branch');
    await code.toast('Fork "branch"').waitFor();
    await code.row('branch').waitFor();
    await code.screenshot('fork-branch');
    await code.dismissToasts();
  });

  it('deletes it with its project, after confirmation', async () => {
    await code.contextMenu(code.row('default'), 'Delete Project…');
    await code.dialog.filter({ hasText: 'Delete project "default"?' }).waitFor();
    await code.screenshot('delete-project-dialog');
    await code.dialog.getByRole('button', { name: 'Delete' }).click();
    await code.welcome.getByRole('button', { name: 'Create Project' }).waitFor();
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    assert.equal(response.status, 404);
  });
});
