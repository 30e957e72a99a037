import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually';
import { binary, SOLC } from '../support/foundry';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';
import { TestExplorer } from './support/test-explorer';

const FIXTURE = path.join(__dirname, '../fixtures/forge-tests');

/** Copies the project, which names a compiler of this machine, since forge cannot download one. */
async function writeProject(folder: string): Promise<void> {
  await cp(FIXTURE, folder, { recursive: true });
  const file = path.join(folder, 'foundry.toml');
  await writeFile(file, `${await readFile(file, 'utf8')}solc = "${SOLC}"\n`);
}

describe('tests of Foundry in the Test Explorer', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow({ 'forklens.forge.path': binary('forge') });
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

  it('are listed by contract', async () => {
    await explorer.show();
    await explorer.open('BankTest (test/Bank.t.sol)');
    for (const name of ['test_deposit', 'test_fails', 'testFuzz_withdraw']) {
      await explorer.row(name).waitFor();
    }
    await explorer.open('CounterTest (test/Calls.t.sol)');
    await explorer.row('invariant_small').waitFor();
    await code.screenshot('foundry-tests');
  });

  it('run, and show gas, logs and the decoded reason', async () => {
    await code.openFile('Bank.t.sol');
    await debug.goToLine(44);
    await explorer.act('BankTest (test/Bank.t.sol)', 'Run Test');
    await explorer.result('test_deposit', 'Passed').waitFor();
    await explorer.result('test_fails', 'Failed').waitFor();
    await explorer.result('testFuzz_withdraw', 'Failed').waitFor();
    await explorer.message(/too\s+large;\s+args=\[/).waitFor();
    await explorer.message(/assertion\s+failed:\s+99\s+!=\s+98/).waitFor();
    await code.screenshot('foundry-tests-run');
    for (const text of ['BankTest.test_fails: gas ', 'time 12345', 'median gas ']) {
      await explorer.output(text).waitFor();
    }
    await code.screenshot('foundry-tests-output');
  });

  it('debug a failing fuzz test at its counterexample, backwards', async () => {
    await explorer.show();
    await explorer.act('testFuzz_withdraw', 'Debug Test');
    await code.command('View: Show Run and Debug');
    await debug.isAt('BankTest.testFuzz_withdraw', 48);
    await code.page
      .getByText(/^amount = 4[5-9]|50$/)
      .first()
      .waitFor();
    await code.screenshot('foundry-tests-debug');
    await debug.toolbar('Step Back').click();
    await debug.isAt('BankTest.testFuzz_withdraw', '48:26');
    await debug.toolbar('Step Back').click();
    await debug.isAt('BankTest.testFuzz_withdraw', 47);
  });

  it('step back into setUp', async () => {
    await debug.breakAt(16);
    await debug.toolbar('Reverse').click();
    await debug.isAt('BankTest.setUp', 16);
    await debug.isAt('forge', 4);
    await code.screenshot('foundry-tests-set-up');
    await debug.end();
  });

  it('debug the last failure', async () => {
    await explorer.show();
    await explorer.runUsing('test_deposit', 'Debug Last Failure');
    await code.command('View: Show Run and Debug');
    await debug.isAt('BankTest.testFuzz_withdraw', 48);
    await debug.end();
  });

  it('are run by the lenses above them', async () => {
    await debug.goToLine(21);
    const lens = code.page.locator('.codelens-decoration a', { hasText: 'Run Test' });
    // A lens that the editor replaces at this moment, as after a debug session, does nothing.
    await eventually(async () => {
      await lens.first().click();
      await explorer.output(/BankTest.test_deposit: gas /).waitFor({ timeout: 5_000 });
    }, 60_000);
    await code.screenshot('foundry-tests-lens');
  });
});
