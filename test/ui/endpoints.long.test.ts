import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commandLineOf } from '../support/proc';
import { sandboxHash } from '../support/sandbox-hashes';
import { UpstreamProxy } from '../support/upstream-proxy';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

describe("the user's own endpoints", function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  /** A real node: the address of a fork of the sandbox. Its path is secret, like a provider's key. */
  let node: string;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('Create a fork…').click();
    await code.createSandboxFork('node');
    await code.row(/node.*running/).waitFor();
    node = await code.copyRpcUrl('node');
    await code.dismissToasts();
  });

  it('are checked first: an endpoint that does not answer is asked for again', async () => {
    await code.command('Forklens: Add RPC Endpoint…');
    await code.answer('URL of the JSON-RPC endpoint', 'ftp://node');
    await code.quickInput.locator('.quick-input-message', { hasText: 'ws:// or wss://' }).waitFor();
    await code.answer('ws:// or wss://', 'http://127.0.0.1:9/key');
    const refused = code.quickInput.locator('.quick-input-message', { hasText: 'No RPC endpoint' });
    await refused.waitFor();
    await code.screenshot('endpoint-unreachable');
    assert.doesNotMatch(await refused.innerText(), /127\.0\.0\.1/);
  });

  it('are sent the headers that the user gives', async () => {
    const guarded = await UpstreamProxy.start(node);
    guarded.fault = () =>
      guarded.headers.at(-1)?.authorization === 'Bearer sesame' ? undefined : { status: 401 };
    try {
      await code.answer(/No RPC endpoint/, guarded.url);
      await code.quickInput.locator('.quick-input-message', { hasText: '401' }).waitFor();
      await code.quickInput.getByRole('button', { name: 'Send a Header' }).click();
      await code.answer('Header of each request', 'Authorization: Bearer sesame');
      await code.answer('which is sent Authorization', guarded.url);
      await code.quickInput.getByPlaceholder(/^Chain id 31337: archive node/).waitFor();
      await code.screenshot('endpoint-header');
      await code.page.keyboard.press('Escape');
      await code.quickInput.waitFor({ state: 'hidden' });
    } finally {
      await guarded.close();
    }
    await code.command('Forklens: Add RPC Endpoint…');
  });

  it('report their capabilities, and create a new chain', async () => {
    await code.answer('URL of the JSON-RPC endpoint', node);
    await code.quickInput
      .getByPlaceholder(/^Chain id 31337: archive node, debug API, \d+ ms$/)
      .waitFor();
    await code.screenshot('endpoint-report');
    await code.choose(/^Chain id 31337/, 'Another name…');
    await code.answer('Name of the chain', 'copy');
    await code.toast(/Endpoint added for copy: archive node, debug API/).waitFor();
    await code.dismissToasts();
  });

  it('serve analyses at once', async () => {
    await code.command('Forklens: Analyze Transaction…');
    await code.answer('Transaction hash', sandboxHash('swap-two-hops'));
    await code.choose('Chain or fork of the transaction', /^copy/, 'copy');
    await code.inspector().locator('.overview').waitFor();
  });

  it('are restored with the service and with the window', async () => {
    await code.command('Forklens: Restart Service');
    await code.status.and(code.page.getByLabel(/^The service runs at/)).waitFor();
    await code.reload();
    await code.showView();
    await code.row('node').waitFor();
    await code.command('Forklens: Manage RPC Endpoints…');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'copy' }).waitFor();
    await code.screenshot('endpoints');
  });

  it('appear in no file of the service, no setting and no process list', () => {
    const secret = new URL(node).pathname.split('/').at(-1)!;
    const { folder } = code.workbench.server;
    const settings = ['User', 'Machine'].map((scope) =>
      fs.readFileSync(path.join(folder, 'user-data', scope, 'settings.json'), 'utf8'),
    );
    // The store is not searched: it contains the address, because it belongs to a fork.
    const data = fs.readFileSync(path.join(folder, 'forklens/service.json'), 'utf8');
    const commands = fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => commandLineOf(Number(pid)).join('\0'));
    assert.deepEqual(
      [...settings, data, ...commands].filter((text) => text.includes(secret)),
      [],
    );
  });

  it('are removed after confirmation', async () => {
    await code.choose('Choose one to remove it', 'copy');
    await code.dialog.filter({ hasText: 'Remove the endpoint of copy?' }).waitFor();
    await code.dialog.getByRole('button', { name: 'Delete' }).click();
    await code.dialog.waitFor({ state: 'detached' });
    await code.command('Forklens: Manage RPC Endpoints…');
    await code.toast('You have added no endpoint').waitFor();
    await code.screenshot('endpoints-none');
  });
});
