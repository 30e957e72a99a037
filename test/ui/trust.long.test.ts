import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { id } from 'ethers';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { JsonService } from '../support/json-service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callTree } from './support/call-tree';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { servicesOf } from './support/services';
import { storeTwice, Vaults } from './support/vaults';

/** Config that the folder's settings name for the service. */
const CONFIG = {
  chains: [{ slug: 'of-the-folder', chainId: 4242, rpcUrls: ['http://127.0.0.1:9'] }],
  abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
};

const NOTEBOOK = 'stranger.forklens-book';
const CELLS = `
# Read me

\`\`\`json forklens-rpc
{ "method": "evm_mine", "params": [] }
\`\`\`
`;

describe('an untrusted folder', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow(
    { 'security.workspace.trust.startupPrompt': 'never' },
    { workspaceTrust: true },
  );
  let code: CodeWindow;
  let home: string;
  let vaults: Vaults;
  let stranger: JsonService;
  let hash: string;
  let url: string;

  before(async () => {
    stranger = await JsonService.start(() => ({ status: 500 }));
    home = await makeTemporaryDirectory();
    vaults = await Vaults.build(home);
    code = window();
    const { workspace } = code.workbench;
    await cp(vaults.project, workspace, { recursive: true });
    await writeFile(path.join(workspace, 'forklens.json'), JSON.stringify(CONFIG));
    const notebook = `---\nforklens-book: 1\nchain: sandbox\n---\n${CELLS}`;
    await writeFile(path.join(workspace, NOTEBOOK), notebook);
    await mkdir(path.join(workspace, '.vscode'));
    const settings = {
      'forklens.service.mode': 'remote',
      'forklens.service.url': stranger.url,
      'forklens.service.configFile': 'forklens.json',
    };
    await writeFile(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
    await code.reload();
    await code.showView();
    await code.row('default').waitFor();
  });
  after(async () => {
    await stranger.close();
    await removeDirectory(home);
  });

  const restricted = () => code.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });

  const firstCall = async (): Promise<string> => {
    const [call] = await callTree(await code.analyze(hash, 'guarded'));
    return call ?? '';
  };

  /** Number of chains in the fork wizard that come from the folder's config. */
  const chainsOfTheFolder = async (): Promise<number> => {
    await code.contextMenu(code.row('default'), 'Create Fork…');
    await code.quickInput.getByPlaceholder('Chain to fork').waitFor();
    const chains = code.quickInput.locator('.monaco-list-row');
    const sandbox = chains.filter({ hasText: 'chain id 31337' });
    await sandbox.waitFor();
    await code.quickInput.locator('input.input').fill('of-the-folder');
    await sandbox.waitFor({ state: 'detached' });
    const count = await chains.filter({ hasText: 'of-the-folder' }).count();
    await code.page.keyboard.press('Escape');
    await code.quickInput.waitFor({ state: 'hidden' });
    return count;
  };

  it('has no effect through its build output', async () => {
    await restricted().waitFor();
    url = await code.forkSandbox('guarded');
    hash = await storeTwice(url, await vaults.deploy(url), 20);
    const selector = id('storeTwice(uint256)').slice(0, 10);
    assert.match(await firstCall(), new RegExp(`^CALL 0x\\w{4}…\\w{4}\\.${selector}\\(`));
    await code.screenshot('restricted-mode');
  });

  it('sets neither the service nor its config', async () => {
    assert.equal(await chainsOfTheFolder(), 0);
  });

  it('shows its notebook, and runs none of its cells', async () => {
    const head = await call(url, 'eth_blockNumber');
    await code.openFile(NOTEBOOK);
    await code.inspector().getByRole('heading', { name: 'Read me' }).waitFor();
    await code.command('Forklens: Bind to Another Fork…');
    await code.choose('Chain or fork', 'guarded');
    const place = code.page.locator('.cell-status-item', { hasText: /guarded · sandbox @ \d/ });
    await place.waitFor();
    await code.command('Notebook: Run All');
    const question = code.dialog.filter({ hasText: 'Do you trust the authors' });
    await question.getByText('Executing a notebook cell will run code').waitFor();
    await code.screenshot('restricted-notebook');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await call(url, 'eth_blockNumber'), head);
  });

  it('opens none of its case files without a question', async () => {
    await writeFile(path.join(code.workbench.workspace, 'exploit.forklens'), 'no case');
    await code.openFile('exploit.forklens');
    const question = code.dialog.filter({ hasText: '"exploit.forklens" of a stranger?' });
    await question.getByText('starts no program and no network request').waitFor();
    await code.screenshot('restricted-case');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await code.page.locator('.tab', { hasText: 'exploit.forklens' }).waitFor({ state: 'detached' });
  });

  it('takes effect as soon as it is trusted', async () => {
    const [before] = servicesOf(code);
    await restricted().click();
    const editor = code.page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: /^Trust(,|$)/ }).click();
    await restricted().waitFor({ state: 'detached' });
    // The folder's config file requires a new service.
    await eventually(() => {
      const [service, ...others] = servicesOf(code);
      assert.ok(service);
      assert.notEqual(service, before);
      assert.deepEqual(others, []);
    }, 30_000);
    await code.row('guarded').waitFor();
    await code.command('View: Close All Editors');
    assert.match(await firstCall(), /^CALL Teller\.storeTwice\(amount: 20\), gas/);
    assert.equal(await chainsOfTheFolder(), 1);
  });

  it('runs the cells of its notebook then', async () => {
    await code.openFile(NOTEBOOK);
    await code.command('Notebook: Run All');
    await code.inspector().getByText('"0x0"').waitFor();
    await code.screenshot('trusted-notebook');
  });

  it('never directs requests to a service of its choice', () => {
    assert.deepEqual(stranger.asked, []);
  });
});
