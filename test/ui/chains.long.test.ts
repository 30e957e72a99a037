import assert from 'node:assert/strict';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

describe('the view of chains', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
    await code.showPane('Projects', false);
    await code.showPane('Chains');
  });

  it('shows the story of the sandbox, titled by what each transaction shows', async () => {
    await code.row('Sandbox').waitFor();
    await code.row('Story').waitFor();
    await code.screenshot('chains');
    const rows = await code.rows();
    assert.match(rows[0]!, /^Sandbox ?block \d+$/);
    assert.match(rows[1]!, /^Story ?\d+ transactions to learn from$/);
    assert.ok(rows.some((row) => row.startsWith('Load more (')) || rows.length > 8);
  });

  it('opens a transaction of the story with a click', async () => {
    const third = code.tree.nth(3);
    await third.click();
    await code.inspector().locator('.overview').waitFor();
    await code.screenshot('chains-opened');
  });

  it('lists blocks and their transactions', async () => {
    await code.row('Story').click();
    await code.page.keyboard.press('ArrowLeft');
    const block = code.tree.filter({ hasText: /\d+ transactions? ·|\d+ transactions?$/ });
    await code.row(/^8/).click();
    await code.row(/→/).waitFor();
    assert.ok((await block.count()) > 1);
    await code.screenshot('chains-block');
    await code.setTheme('Default Light Modern', 'vs');
    await code.screenshot('chains-light');
    await code.setTheme('Default Dark Modern', 'vs-dark');
  });

  it('shows the addresses of a transaction, and what is known of one', async () => {
    await code.contextMenu(code.row('multicall'), 'Show Address…');
    await code.choose('Address to show', 'Router');
    const page = code.inspector();
    await page.getByRole('heading', { name: 'Router', exact: true }).waitFor();
    await page.getByText('Router, 31 files, from sandbox').waitFor();
    await page.getByRole('row', { name: /^multicall 8 bob Router/ }).waitFor();
    await code.screenshot('chains-address');
  });

  it('groups the chains that have public endpoints only, and asks none of them', async () => {
    await code.row('Sandbox').click();
    await code.row('Other chains').waitFor();
    await code.row('Other chains').click();
    await code.row('Ethereum').waitFor();
    await code.screenshot('chains-others');
    assert.ok(!(await code.rows()).some((row) => row.includes('no answer')));
  });

  it('keeps its rows while it is refreshed, also where it is narrow', async () => {
    await code.page.setViewportSize({ width: 700, height: 700 });
    await code.command('Forklens: Refresh Chains');
    await code.row('Sandbox').waitFor();
    await code.row('Ethereum').waitFor();
    await code.screenshot('chains-narrow');
    await code.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('says what to do while the service is stopped', async () => {
    await code.command('Forklens: Stop Service');
    await code.welcome.filter({ hasText: 'Browse blocks and transactions' }).waitFor();
    await code.screenshot('chains-stopped');
    await code.welcome.getByRole('button', { name: 'Start Service' }).first().click();
    await code.row('Sandbox').waitFor();
  });
});
