import assert from 'node:assert/strict';
import path from 'node:path';
import { filesWith } from '../support/secret-search';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const REFUSED = /access key .* is unknown/;

describe('the service of a team', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let dataDir: string;
  let service: TestService;

  before(async () => {
    dataDir = await makeTemporaryDirectory();
    service = await startService({ dataDir, args: ['--sandbox'] });
    code = window();
    code.workbench.server.changeSettings({
      'forklens.service.mode': 'remote',
      'forklens.service.url': service.url,
    });
    await code.showView();
  });
  after(async () => {
    await service.stop();
    await removeDirectory(dataDir);
  });

  const account = () => code.row(`local${new URL(service.url).host}`);

  it('asks for a key before it shows anything', async () => {
    await code.welcome.filter({ hasText: 'Sign in to see your projects and forks.' }).waitFor();
    assert.deepEqual(await code.rows(), []);
  });

  it('refuses an unknown key, and asks again', async () => {
    await code.welcome.getByRole('button', { name: 'Sign In' }).click();
    const question = `Access key for ${service.url}`;
    await code.quickInput.filter({ hasText: question }).waitFor();
    assert.equal(await code.quickInput.locator('input.input').getAttribute('type'), 'password');
    await code.answer(question, 'guessed');
    await code.quickInput.locator('.quick-input-message', { hasText: REFUSED }).waitFor();
    await code.screenshot('remote-key-refused');
  });

  it("accepts a valid key, and shows its user's projects", async () => {
    await code.answer(REFUSED, service.key);
    await code.toast('Signed in to Forklens as local.').waitFor();
    await account().waitFor();
    assert.deepEqual(await code.rows(), [
      'default',
      'Create a fork…',
      `local${new URL(service.url).host}`,
    ]);
    await code.screenshot('remote-signed-in');
    await code.dismissToasts();
  });

  it('creates forks with an address of the service', async () => {
    await code.row('Create a fork…').click();
    await code.createSandboxFork('shared');
    await code.dismissToasts();
    assert.ok((await code.copyRpcUrl('shared')).startsWith(`${service.url}/rpc/`));
  });

  it('keeps the key after a reload, and in no file of the editor', async () => {
    await code.reload();
    await code.showView();
    await account().waitFor();
    const folder = path.join(code.workbench.server.folder, 'user-data');
    assert.deepEqual(filesWith(folder, service.key), []);
  });

  it('is shown as unreachable, and reconnects with a click', async () => {
    const { port } = new URL(service.url);
    await service.kill();
    await code.command('Forklens: Refresh');
    await code.welcome.filter({ hasText: 'The Forklens service does not answer.' }).waitFor();
    await code.screenshot('remote-gone');
    service = await startService({ dataDir, args: ['--sandbox', '--port', port] });
    await code.welcome.getByRole('button', { name: 'Reconnect' }).click();
    await account().waitFor();
    await code.row('shared').waitFor();
  });

  it('forgets the key on sign-out', async () => {
    await code.command('Forklens: Sign Out');
    await code.welcome.getByRole('button', { name: 'Sign In' }).waitFor();
    await code.reload();
    await code.showView();
    await code.welcome.getByRole('button', { name: 'Sign In' }).waitFor();
  });
});
