import fs from 'node:fs';
import path from 'node:path';
import { writeHardhatBuild } from '../support/hardhat-build';
import { sandboxHash } from '../support/sandbox-hashes';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const EXPLOIT = sandboxHash('exploit-reentrancy');
const VAULT_FILE = path.join(__dirname, '../../server/chains/sandbox/contracts/EtherVault.sol');
const VAULT = fs.readFileSync(VAULT_FILE, 'utf8');
const FILE = 'contracts/EtherVault.sol';

/** What a user reads before code runs that may not be what the editor shows. */
describe('Run Again With This Code', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    const balances = '    mapping(address => uint256) public balanceOf;';
    const moved = VAULT.replace(balances, `    uint256 public total;\n${balances}`);
    await writeHardhatBuild(code.workbench.workspace, FILE, moved);
    await code.showView();
    await code.row('default').waitFor();
    await code.analyze(EXPLOIT, 'sandbox');
    await code.openFile('EtherVault.sol');
  });

  const runAgain = async (): Promise<void> => {
    await (await code.firstLens('Run again')).click();
    await code.dialog.getByText('Run with this build of EtherVault?').waitFor();
  };
  const answer = async (button: string): Promise<void> => {
    await code.dialog.getByRole('button', { name: button }).click();
    await code.dialog.waitFor({ state: 'detached' });
  };

  it('warns of variables that moved, and runs nothing when it is cancelled', async () => {
    await runAgain();
    const changed = 'The storage layout changed: balanceOf moved from slot 0 to slot 1.';
    await code.dialog.getByText(changed).waitFor();
    await code.screenshot('what-if-layout');
    await answer('Cancel');
    await code.page.getByRole('tab', { name: 'EtherVault.sol' }).waitFor();
  });

  it('asks before it runs an old build, and compares when it is confirmed', async () => {
    const { workspace } = code.workbench;
    await writeHardhatBuild(workspace, FILE, VAULT);
    const later = new Date(Date.now() + 60_000);
    fs.utimesSync(path.join(workspace, FILE), later, later);
    await runAgain();
    const old = 'The source is newer than its build output: build the project first.';
    await code.dialog.getByText(old).waitFor();
    await code.screenshot('what-if-old-build');
    await answer('Run Anyway');
    const title = `${shortHash(EXPLOIT)} with EtherVault of the workspace`;
    await code.page.getByRole('tab', { name: title }).waitFor();
  });
});
