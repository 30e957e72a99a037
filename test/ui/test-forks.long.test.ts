import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { binary, SOLC } from '../support/foundry';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';
import { TestExplorer } from './support/test-explorer';

const FIXTURE = path.join(__dirname, '../fixtures/forge-tests');
const CONTRACT = 'ForkTest (test/Fork.t.sol)';
const PICKER = /^Tests on a chain/;

describe('the fork or chain that tests run on', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow({ 'forklens.forge.path': binary('forge') });
  let code: CodeWindow;
  let debug: DebugView;
  let explorer: TestExplorer;
  let settings: string;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    explorer = new TestExplorer(code);
    const folder = code.workbench.workspace;
    settings = path.join(folder, '.vscode/settings.json');
    await code.showView();
    await code.row('default').waitFor();
    await code.forkSandbox('for tests');
    await cp(FIXTURE, folder, { recursive: true });
    const file = path.join(folder, 'foundry.toml');
    await writeFile(file, `${await readFile(file, 'utf8')}solc = "${SOLC}"\n`);
    await explorer.show();
    await explorer.open(CONTRACT);
  });

  const choose = async (item: string | RegExp): Promise<void> => {
    await code.command('Test: Configure Test Profiles');
    await code.choose(/./, 'Debug Last Failure');
    await code.quickInput.getByPlaceholder(PICKER).waitFor();
    await code.screenshot('test-forks');
    await code.choose(PICKER, item);
  };

  it('is a fork, and its state is what a test reads', async () => {
    await choose('for tests');
    await code.openFile('Fork.t.sol');
    await debug.goToLine(22);
    await explorer.show();
    await explorer.act('test_moves', 'Run Test');
    await explorer.result('test_moves', 'Failed').waitFor();
    await explorer.message(/Token:\s+balance\s+too\s+low/).waitFor();
    await code.screenshot('test-forks-run');
  });

  it('is a chain, whose sources a debugged test has', async () => {
    await choose(/chain id 31337/);
    await explorer.show();
    await explorer.act('test_moves', 'Debug Test');
    await code.command('View: Show Run and Debug');
    await debug.isAt('TokenBase._transfer', 36);
    await debug.isAt('ForkTest.test_moves', 27);
    await code.screenshot('test-forks-debug');
    await debug.end();
  });

  it('leaves no fork of the chain behind', async () => {
    await code.showView();
    await code.row('for tests').waitFor();
    const rows = await code.rows();
    assert.ok(!rows.some((row) => row.includes('Tests on sandbox')), rows.join('\n'));
  });

  it('is refused by name where there is no such one', async () => {
    assert.match(await readFile(settings, 'utf8'), /"forklens\.tests\.fork": "sandbox"/);
    await writeFile(settings, '{ "forklens.tests.fork": "nowhere" }\n');
    await explorer.show();
    await explorer.act('test_moves', 'Run Test');
    const results = code.page.locator('.test-output-peek-tree');
    await results.getByText('There is no fork and no chain "nowhere"').first().waitFor();
  });
});
