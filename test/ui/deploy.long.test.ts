import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { writeHardhatBuild } from '../support/hardhat-build';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TILL = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Payee {
    function pay(uint256 amount) external;
}

library Sums {
    function add(uint256 a, uint256 b) external pure returns (uint256) {
        return a + b;
    }
}

contract Till is Payee {
    error TooMuch(uint256 wanted, uint256 limit);

    uint256 public immutable limit;
    uint256 public total;
    mapping(address => uint256) public paidBy;

    constructor(uint256 limit_) {
        limit = limit_;
    }

    function pay(uint256 amount) external {
        uint256 sum = Sums.add(total, amount);
        if (sum > limit) revert TooMuch(sum, limit);
        total = sum;
        paidBy[msg.sender] += amount;
    }
}
`;

describe('a contract of the workspace', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let source: string;
  let artifact: string;

  before(async () => {
    code = window();
    const { workspace } = code.workbench;
    await writeHardhatBuild(workspace, 'contracts/Till.sol', TILL);
    source = path.join(workspace, 'contracts/Till.sol');
    artifact = path.join(workspace, 'artifacts/contracts/Till.sol/Till.json');
    const tasks = {
      version: '2.0.0',
      tasks: [
        {
          label: 'build',
          type: 'shell',
          command: `touch '${artifact}'`,
          group: { kind: 'build', isDefault: true },
        },
      ],
    };
    const folder = path.join(workspace, '.vscode');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'tasks.json'), JSON.stringify(tasks));
    await code.showView();
    await code.row('default').waitFor();
    await code.row('Create a fork…').click();
    await code.createSandboxFork('work');
    await code.dismissToasts();
  });

  const lens = (text: string) => code.page.locator('.codelens-decoration a', { hasText: text });

  it('has a lens to deploy it, and its functions have lenses where they have code', async () => {
    await code.openFile('Till.sol');
    await lens('Deploy on fork').waitFor();
    assert.equal(await lens('Deploy on fork').count(), 1);
    // The constructor and the function.
    assert.equal(await lens('Simulate on fork').count(), 2);
    await code.screenshot('deploy-lens');
  });

  it('is deployed with its library, its arguments and a sender', async () => {
    await code.contextMenu(code.row('work'), 'Deploy on Fork…');
    await code.choose('Contract to deploy', 'Till');
    await code.answer('Address of the library Sums on "work"', '0x12');
    await code.quickInput.filter({ hasText: 'Enter an address: 0x and 40 hex digits.' }).waitFor();
    await code.page.keyboard.press('Escape');

    await code.command('Forklens: Deploy on Fork…');
    await code.choose('Contract to deploy', 'Sums');
    await code.choose('Fork', 'work');
    await code.answer('Sender: any address', ALICE);
    await code.toast('Sums is deployed on "work" at 0x').waitFor();
    await code.dismissToasts();

    await lens('Deploy on fork').click();
    await code.choose('Fork', 'work');
    const library = code.quickInput.locator('input.input');
    await code.quickInput.filter({ hasText: 'Address of the library Sums' }).waitFor();
    assert.match(await library.inputValue(), /^0x[0-9a-f]{40}$/);
    await library.press('Enter');
    await code.answer('limit_: Enter a whole number', '1_000');
    await code.quickInput.filter({ hasText: 'Sender: any address' }).waitFor();
    assert.equal(await library.inputValue(), ALICE);
    await code.screenshot('deploy-sender');
    await library.press('Enter');
    await code.toast('Till is deployed on "work" at 0x').waitFor();
    await code.screenshot('deployed');
    await code.dismissToasts();
  });

  it('is in the tree with its values, and its creation has its name', async () => {
    await code.row('work').click();
    await code.row('Till deployed').waitFor();
    await code.row('Contracts').click();
    await code.row(/^Till\s*0x/).click();
    await code.row(/^limit\s*1,000$/).waitFor();
    await code.row(/^total\s*0$/).waitFor();
    await code.row(/^paidBy\(address\)$/).waitFor();
    await code.screenshot('deploy-tree');
  });

  it('shows the answer of a function in place', async () => {
    await code.row(/^paidBy/).click();
    await code.answer('Argument 1: Enter an address', ALICE);
    await code.row(/^paidBy\(address\)\s*0$/).waitFor();
  });

  it('sends a transaction, shows it, and reads the values again', async () => {
    await code.row(/^pay\(/).click();
    await code.answer('amount: Enter a whole number', '600');
    await code.answer('Sender: any address', ALICE);
    await code.inspector().locator('header h1', { hasText: 'pay' }).waitFor();
    await code.row(/^total\s*600$/).waitFor();
    await code.screenshot('deploy-sent');
  });

  it('remembers arguments, and shows why a transaction failed', async () => {
    await code.row(/^pay\(/).click();
    const input = code.quickInput.locator('input.input');
    await code.quickInput.filter({ hasText: 'amount: Enter' }).waitFor();
    assert.equal(await input.inputValue(), '600');
    await input.press('Enter');
    await code.quickInput.filter({ hasText: 'Sender: any address' }).waitFor();
    await input.press('Enter');
    await code.inspector().locator('header', { hasText: 'Reverted' }).waitFor();
    const why = 'TooMuch(wanted: 1,200, limit: 1,000)';
    await code.inspector().locator('header', { hasText: why }).waitFor();
    await code.inspector().locator('header', { hasText: 'Till' }).waitFor();
    await code.screenshot('deploy-why');
  });

  it('says why the fork did not take a transaction, and simulates it', async () => {
    await code.row(/^pay\(/).click();
    await code.answer('amount: Enter', '1');
    await code.answer('Sender: any address', `0x${'da'.repeat(20)}`);
    const toast = code.toast(/Till\.pay was not sent: .*insufficient funds/i);
    await toast.waitFor();
    await code.screenshot('deploy-not-sent');
    await toast.getByRole('button', { name: 'Simulate' }).click();
    await code.page.locator('.tab.active', { hasText: 'Till.pay' }).waitFor();
    await code.inspector().locator('header', { hasText: 'pay' }).waitFor();
    await code.screenshot('deploy-simulated');
  });

  it('asks for a build if the source is newer, and runs the build task', async () => {
    const soon = new Date(Date.now() - 1_000);
    fs.utimesSync(artifact, new Date(0), new Date(0));
    fs.utimesSync(source, soon, soon);
    await code.openFile('Till.sol');
    await lens('Deploy on fork').click();
    await code.dialog.filter({ hasText: 'Deploy this build of Till?' }).waitFor();
    await code.screenshot('deploy-stale');
    await code.dialog.getByRole('button', { name: 'Build' }).click();
    await code.quickInput.getByPlaceholder('Fork').waitFor();
    await code.page.keyboard.press('Escape');
    assert.ok(fs.statSync(artifact).mtimeMs > soon.getTime());
  });

  it('is kept over a reload, removed, and added again by its address', async () => {
    await code.reload();
    await code.row('work').click();
    await code.row('Contracts').click();
    const till = code.row(/^Till\s*0x/);
    await till.waitFor();
    await code.contextMenu(till, 'Copy Contract Address');
    await code.page.locator('.statusbar-item', { hasText: 'Copied 0x' }).waitFor();
    const address = await code.clipboard();
    await code.contextMenu(till, 'Remove Contract');
    await till.waitFor({ state: 'detached' });
    await code.contextMenu(code.row('Contracts'), 'Add Contract…');
    await code.answer('Address of a contract on "work"', ALICE);
    await code.toast('There is no contract at 0x7099…79c8 on "work".').waitFor();
    await code.contextMenu(code.row('Contracts'), 'Add Contract…');
    await code.answer('Address of a contract on "work"', address);
    await till.waitFor();
  });
});
