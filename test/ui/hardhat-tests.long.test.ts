import { cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';
import { TestExplorer } from './support/test-explorer';

const ROOT = path.join(__dirname, '../..');
const FILE = 'test/bank.cjs';

async function writeProject(folder: string): Promise<void> {
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  await cp(path.join(ROOT, 'test/fixtures/hardhat-tests'), folder, { recursive: true });
}

describe('tests of Hardhat in the Test Explorer', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;
  let explorer: TestExplorer;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    explorer = new TestExplorer(code);
    await code.showView();
    await code.row('default').waitFor();
    await writeProject(code.workbench.workspace);
  });

  it('are listed by file and suite', async () => {
    await explorer.show();
    await explorer.open(FILE);
    await explorer.open('a bank');
    await explorer.row('takes a deposit').waitFor();
    await explorer.open('a withdrawal');
    await explorer.row('of too much, with an estimate').waitFor();
    await code.screenshot('hardhat-tests');
  });

  it("run on the project's network, and show messages at their lines", async () => {
    await code.openFile('bank.cjs');
    await explorer.act('a bank', 'Run Test');
    await explorer.result('takes a deposit', 'Passed').waitFor();
    await explorer.result('counts to 2', 'Failed').waitFor();
    await explorer.result('of too much, with an estimate', 'Failed').waitFor();
    await explorer.message(/reverted\s+with\s+reason\s+string/).waitFor();
    await code.screenshot('hardhat-tests-run');
  });

  it('ask for a fork or a chain to debug on', async () => {
    await explorer.show();
    await explorer.act('of too much, with an estimate', 'Debug Test');
    await code.choose(/^Tests on a chain/, 'sandbox');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Bank.withdraw', 16);
    await code.page
      .getByText(/too large/)
      .first()
      .waitFor();
    await code.screenshot('hardhat-tests-debug-call');
    await debug.end();
  });

  it('debug the transaction that failed, with its values', async () => {
    await explorer.show();
    await explorer.act('of too much', 'Debug Test');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Bank.withdraw', 16);
    await code.page.getByText('left = 5, balances[msg.sender] = 5').first().waitFor();
    await code.screenshot('hardhat-tests-debug');
    await debug.end();
  });

  it('debug the last failure', async () => {
    await explorer.show();
    await explorer.runUsing('takes a deposit', 'Debug Last Failure');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Bank.withdraw', 16);
    await debug.end();
  });

  it('offer the transactions of a test that passes', async () => {
    await explorer.show();
    await explorer.act('takes a deposit', 'Debug Test');
    await code.choose('No transaction of this test failed on the fork.', 'Transaction 2');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Bank.deposit', 10);
    await debug.end();
    await explorer.output('deposit 5').waitFor();
  });
});
