import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { call } from '../support/json-rpc';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { servicesOf } from './support/services';

const CAROL = `0x${'ca'.repeat(20)}`;
const DAVE = `0x${'da'.repeat(20)}`;

describe('two windows with different folders', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let first: CodeWindow;
  let second: CodeWindow;
  let url: string;

  before(async () => {
    first = window();
    await first.showView();
    await first.row('default').waitFor();
    const folder = path.join(first.workbench.server.folder, 'other');
    await mkdir(folder);
    second = await first.openWindow(folder);
    await second.showView();
    await second.row('default').waitFor();
  });

  const says = (code: CodeWindow, ownership: string): Promise<void> =>
    code.status.and(code.page.getByLabel(`(${ownership})`)).waitFor();
  const send = (): Promise<string> =>
    call(url, 'eth_sendTransaction', { from: CAROL, to: DAVE, value: '0x1' });

  it('share one service', async () => {
    await says(second, 'shared with the window that started it');
    assert.equal(servicesOf(first).length, 1);
    await second.screenshot('second-window');
  });

  it("show the other window's changes without a refresh", async () => {
    await first.page.bringToFront();
    await says(first, 'started by this window');
    url = await first.forkSandbox('of-the-first');
    await second.page.bringToFront();
    await second.row('of-the-first').waitFor();
    await call(url, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
    await send();
    await second.row(/of-the-first.*running · 1 tx/).waitFor();
    await second.contextMenu(second.row('default'), 'Create Fork…');
    await second.createSandboxFork('of-the-second');
    await first.page.bringToFront();
    await first.row('of-the-second').waitFor();
  });

  it('are independent: the second keeps the forks when the first is closed', async () => {
    const [before] = servicesOf(first);
    // Like closing the tab, this ends the page and its processes.
    await first.page.goto('about:blank');
    await second.page.bringToFront();
    await says(second, 'started by this window');
    const [service, ...others] = servicesOf(second);
    assert.ok(service !== undefined && service !== before);
    assert.deepEqual(others, []);
    await second.row('of-the-first').waitFor();
    assert.equal(await call(url, 'eth_getBalance', DAVE, 'latest'), '0x1');
    await send();
    await second.row(/of-the-first.*running · 2 tx/).waitFor();
    await second.screenshot('second-window-goes-on');
  });
});
