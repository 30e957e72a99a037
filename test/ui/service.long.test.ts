import assert from 'node:assert/strict';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { servicesOf } from './support/services';

describe('the bundled service and its account', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  it('signs out, and shows how to sign in again', async () => {
    await code.command('Forklens: Sign Out');
    await code.welcome.filter({ hasText: 'Sign in to see your projects and forks.' }).waitFor();
    assert.deepEqual(await code.rows(), []);
    await code.screenshot('signed-out');
  });

  it('stays signed out after a reload', async () => {
    await code.reload();
    await code.showView();
    await code.welcome.getByRole('button', { name: 'Sign In' }).waitFor();
  });

  it('signs in again with one click', async () => {
    await code.welcome.getByRole('button', { name: 'Sign In' }).click();
    await code.row('default').waitFor();
    await code.toast('Signed in to Forklens as local.').waitFor();
    await code.screenshot('signed-in');
    await code.dismissToasts();
  });

  it('runs exactly one service', () => {
    assert.equal(servicesOf(code).length, 1);
  });

  it('shows a crash of the service, and restarts it', async () => {
    const [pid] = servicesOf(code);
    process.kill(pid!, 'SIGKILL');
    await code.status
      .and(code.page.getByLabel(/ended unexpectedly and is being restarted/))
      .waitFor();
    await code.page.getByText('Restarting the service…').waitFor();
    await code.screenshot('service-crashed');
    await code.row('default').waitFor();
    await code.status.and(code.page.getByLabel(/^The service runs at/)).waitFor();
    const [next, ...others] = servicesOf(code);
    assert.ok(next !== undefined && next !== pid);
    assert.deepEqual(others, []);
    await code.screenshot('service-recovered');
  });

  it('stops the service on request and offers to start it', async () => {
    await code.command('Forklens: Stop Service');
    await code.welcome.filter({ hasText: 'The Forklens service is stopped.' }).waitFor();
    assert.deepEqual(servicesOf(code), []);
    await code.screenshot('service-stopped');
    await code.welcome.getByRole('button', { name: 'Start Service' }).click();
    await code.row('default').waitFor();
    assert.equal(servicesOf(code).length, 1);
  });

  it('shows advice if a remote service does not answer', async () => {
    code.workbench.server.changeSettings({
      'forklens.service.mode': 'remote',
      'forklens.service.url': 'http://127.0.0.1:9',
    });
    await code.welcome.filter({ hasText: 'does not answer' }).waitFor();
    await code.screenshot('remote-unreachable');
    assert.deepEqual(servicesOf(code), []);
  });
});
