import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { loadSandboxContracts } from '../../server/chains/sandbox/parts/contracts';
import { CHAIN_ID } from '../../server/chains/sandbox/parts/constants';
import { planSandbox } from '../../server/chains/sandbox/plan';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';
import { writeHardhatBuild } from '../support/hardhat-build';

const ROOT = path.resolve(__dirname, '../..');
const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

/** The Harbor token of the built-in chain. */
const [HBR] = Object.entries(planSandbox(loadSandboxContracts()).contractNames).find(
  ([, name]) => name === 'HarborToken',
)!;

const TILL = `pragma solidity ^0.8.24;
contract Till {
    uint256 total;
    constructor(uint256 first) {
        total = first;
    }
}
`;

/** Writes a built Foundry project with one of the sandbox's contracts. */
function writeProject(folder: string): void {
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  const file = path.join(ROOT, 'server/chains/sandbox/contracts/TokenBase.sol');
  const { abi } = loadSandboxContracts()['HarborToken']!;
  write('foundry.toml', '[profile.default]\nout = "build"\n');
  write('src/TokenBase.sol', fs.readFileSync(file, 'utf8'));
  write('src/Unbuilt.sol', 'contract Unbuilt {\n  function poke() external {}\n}\n');
  write('build/TokenBase.sol/TokenBase.json', JSON.stringify({ abi }));
  const deployed = {
    transactionType: 'CREATE',
    contractName: 'TokenBase',
    contractAddress: HBR,
  };
  write(
    `broadcast/Deploy.s.sol/${CHAIN_ID}/run-latest.json`,
    JSON.stringify({ transactions: [deployed] }),
  );
}

describe('a function of a contract in the workspace', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    writeProject(code.workbench.workspace);
    await writeHardhatBuild(code.workbench.workspace, 'contracts/Till.sol', TILL);
    await code.showView();
    await code.row('default').waitFor();
  });

  const lens = () => code.page.locator('.codelens-decoration a', { hasText: 'Simulate on fork' });

  it('has a lens if it is public or external', async () => {
    await code.openFile('TokenBase.sol');
    await lens().nth(2).waitFor();
    assert.equal(await lens().count(), 3);
    await code.screenshot('code-lens');
  });

  it('asks for its address, which the build knows, and its arguments, and checks each by its type', async () => {
    await lens().first().click();
    await code.choose('Fork or chain to simulate on', 'sandbox');
    await code.quickInput
      .locator('.quick-input-message', { hasText: 'Address of the contract TokenBase' })
      .waitFor();
    assert.equal(await code.quickInput.locator('input.input').inputValue(), HBR);
    await code.answer('Address of the contract TokenBase', '0x12');
    const problem = (text: string) =>
      code.quickInput.locator('.quick-input-message', { hasText: text }).waitFor();
    await problem('Enter an address: 0x and 40 hex digits.');
    await code.answer('Enter an address', HBR);
    await code.answer('to: Enter an address', BOB);
    await code.answer('value: Enter a whole number', 'many');
    await problem('Enter a whole number from 0 to 2^256 - 1, or such as 1.5 ether.');
    await code.screenshot('simulate-argument');
    await code.answer('Enter a whole number', '250.5 ether');
    await code.answer('Sender: any address', ALICE);
  });

  it('is simulated, and shown in the inspector', async () => {
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    const top = inspector.locator('[role=treeitem]').first();
    await top.waitFor();
    assert.match(
      (await top.locator('.spoken').textContent())!,
      /^CALL HBR\.transfer\(to: bob.*, value: 250\.5 HBR\)/,
    );
    await code.page.getByRole('tab', { name: 'TokenBase.transfer' }).waitFor();
    await top.click();
    await code.page.keyboard.press('d');
    await inspector.locator('.details', { hasText: 'HarborToken.sol:8' }).waitFor();
    await code.screenshot('simulated');
  });

  it('is debugged by another lens', async () => {
    const debug = new DebugView(code);
    await code.openFile('TokenBase.sol');
    await code.page.locator('.codelens-decoration a', { hasText: 'Debug' }).first().click();
    await code.choose('Fork or chain to simulate on', 'sandbox');
    await code.answer('Address of the contract TokenBase', HBR);
    await code.answer('to: Enter an address', BOB);
    await code.answer('value: Enter a whole number', '2');
    await code.answer('Sender: any address', ALICE);
    await code.command('View: Show Run and Debug');
    await debug.isAt('HarborToken.transfer', 12, 0);
    await code.screenshot('simulate-debugged');
    await debug.end();
  });

  it('is debugged if it is a constructor, without a deployment', async () => {
    const debug = new DebugView(code);
    await code.openFile('Till.sol');
    await code.page.locator('.codelens-decoration a', { hasText: 'Debug' }).first().click();
    await code.choose('Fork or chain to simulate on', 'sandbox');
    await code.answer('first: Enter a whole number', '7');
    await code.answer('Sender: any address', ALICE);
    await code.command('View: Show Run and Debug');
    await debug.isAt('creation of Till(first: 7)', 5, 0);
    await code.screenshot('constructor-debugged');
    await debug.end();
  });

  it('shows advice if the contract is not compiled', async () => {
    await code.openFile('Unbuilt.sol');
    await lens().first().click();
    await code.toast('Unbuilt is not compiled yet: build the project first').waitFor();
    await code.screenshot('simulate-not-built');
  });
});
