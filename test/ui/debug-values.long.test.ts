import { id } from 'ethers';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { assemble } from '../fidelity/assembler';
import { writeHardhatBuild } from '../support/hardhat-build';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const EXPLOIT = sandboxHash('exploit-reentrancy');
const GATE_FILE = 'contracts/Gate.sol';
const GATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Gate {
    uint256 public opened;

    function open() external {
        opened += 1;
        opened += 2;
    }
}
`;
const GATE_LINE = 9;
/** Executes a line so often that a search for a condition, which runs a loop, takes tens of seconds. */
const ROUNDS_FILE = 'contracts/Rounds.sol';
const ROUNDS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Rounds {
    uint256 public total;

    function slow() public view returns (uint256 result) {
        for (uint256 j = 0; j < 2000; j++) result += total;
    }

    function run() external {
        for (uint256 i = 0; i < 3000; i++) {
            total += i;
        }
        total += slow();
    }
}
`;
const ROUNDS_LINE = 13;

describe('values while the debugger is stopped, in the workbench', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;
  /** Of a fork that gets contracts. */
  let rpc: string;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    await code.showView();
    await code.row('default').waitFor();
  });

  const inView = (title: string): Locator =>
    code.page.locator(`.debug-pane:has([aria-label^="${title}"])`);
  /** Evaluates an expression in the debug console, and waits for this answer. */
  const evaluate = async (expression: string, answer: string): Promise<void> => {
    await code.command('Debug Console: Focus on Debug Console View');
    const input = code.page.locator('.repl-input-wrapper .monaco-editor');
    await input.click();
    await code.page.keyboard.type(expression);
    // The list of suggestions would take the key.
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('Enter');
    await code.page.locator('.repl-tree .monaco-list-row', { hasText: answer }).first().waitFor();
  };
  const watch = async (expression: string, value: RegExp): Promise<void> => {
    await code.command('Debug: Focus on Watch View');
    const pane = inView('Watch');
    await pane.hover();
    await pane.getByRole('button', { name: 'Add Expression' }).click();
    const input = pane.locator('.inputBoxContainer input');
    await input.fill(expression);
    await input.press('Enter');
    const row = code.page.locator('.debug-view-content .monaco-list-row', { hasText: expression });
    await row.filter({ hasText: value }).waitFor();
  };

  it('starts from the palette', async () => {
    await debug.start(EXPLOIT, 'EtherVault.sol', 'VaultThief.attack', 39);
  });

  it('shows them beside the lines of the function', async () => {
    await debug.breakAt(21);
    await debug.toolbar(/^Continue/).click();
    await debug.isAt('EtherVault.withdraw', 21, 0);
    const line = code.page.locator('.editor-instance .view-line', { hasText: /uint256\samount/ });
    await line.filter({ hasText: /amount\s=\s2000000000000000000,\sbalanceOf/ }).waitFor();
    await code.screenshot('debug-inline-values');
  });

  it('follows watched expressions', async () => {
    await watch('amount / 2', /=\s*1000000000000000000$/);
    await watch('msg.sender', /=\s*Mallory's thief \(0xbded…6fb6\)$/);
    await watch('balanceOf[msg.sender] == amount', /=\s*true$/);
    await watch('missing', /Expression "missing": missing is not known here/);
    await code.screenshot('debug-watch');
  });

  it('evaluates expressions in the debug console, and says what is wrong with others', async () => {
    await evaluate('balanceOf[msg.sender] - amount', '0');
    await evaluate('nothing + 1', 'nothing is not known here; known are amount, balanceOf, msg');
    await code.screenshot('debug-console');
    await debug.end();
    await code.command('View: Hide Panel');
    await code.command('View: Close All Editors');
  });

  it('completes chain and hash in launch.json, and starts from there', async () => {
    await code.analyze(EXPLOIT, 'sandbox');
    const file = path.join(code.workbench.workspace, '.vscode/launch.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const configuration = {
      name: 'Exploit',
      type: 'forklens',
      request: 'launch',
      chain: '',
      hash: '',
    };
    fs.writeFileSync(
      file,
      JSON.stringify({ version: '0.2.0', configurations: [configuration] }, undefined, 2),
    );
    await code.openFile('launch.json');
    const suggestion = code.page.locator('.suggest-widget .monaco-list-row');
    const complete = async (place: string, text: string): Promise<void> => {
      await code.page.keyboard.press('Control+G');
      await code.answer('', `:${place}`);
      await code.command('Trigger Suggest');
      await code.screenshot('debug-launch-completion');
      await suggestion.filter({ hasText: text }).first().click();
    };
    await complete('8:17', 'sandbox');
    await complete('9:16', EXPLOIT);
    await code.page.keyboard.press('Control+S');
    await code.command('View: Show Run and Debug');
    await code.command('Debug: Start Debugging');
    await debug.isAt('VaultThief.attack', 39);
    await code.screenshot('debug-launched');
    await debug.end();
  });

  it('shows the instructions of code without a source, with its variables, and steps through them', async () => {
    await code.showView();
    rpc = await code.forkSandbox('codes');
    const to = `0x${'ba4e'.repeat(10)}`;
    await call(rpc, 'anvil_setCode', to, assemble('7 0 sstore stop'));
    const hash = await call(rpc, 'eth_sendTransaction', { to });
    await code.command('Forklens: Debug Transaction…');
    await code.answer('Transaction hash', hash);
    await code.page.getByRole('tab', { name: '0xba4e…ba4e (disassembly)' }).waitFor();
    await code.command('View: Show Run and Debug');
    await debug.isAt('0xba4e…ba4e', 5, 0);
    const scope = code.page.locator('.debug-view-content .monaco-list-row');
    await scope.filter({ hasText: 'Message and block' }).waitFor();
    await code.screenshot('debug-without-source');
    await debug.toolbar(/^Step Over/).click();
    await debug.isAt('0xba4e…ba4e', 6, 0);
    await debug.toolbar(/^Step Into/).click();
    await debug.isAt('0xba4e…ba4e', 7, 0);
    const line = code.page.locator('.editor-instance .view-line', { hasText: 'SSTORE' });
    await line.waitFor();
    await code.screenshot('debug-without-source-stepped');
    await debug.toolbar(/^Step Back/).click();
    await debug.isAt('0xba4e…ba4e', 6, 0);
    await code.command('Open Disassembly View');
    const rows = code.page.locator('.disassembly-view .monaco-list-row');
    await rows.filter({ hasText: 'SSTORE' }).first().waitFor();
    await debug.end();
    await code.command('View: Close All Editors');
  });

  it('sets a refused breakpoint when the source becomes known', async () => {
    const { workspace } = code.workbench;
    const elsewhere = await makeTemporaryDirectory();
    const codes = await writeHardhatBuild(elsewhere, GATE_FILE, GATE);
    await removeDirectory(elsewhere);
    const to = `0x${'9a7e'.repeat(10)}`;
    await call(rpc, 'anvil_setCode', to, codes.get('Gate'));
    const hash = await call(rpc, 'eth_sendTransaction', { to, data: id('open()').slice(0, 10) });

    fs.mkdirSync(path.join(workspace, 'contracts'));
    fs.writeFileSync(path.join(workspace, GATE_FILE), GATE);
    await code.openFile('Gate.sol');
    await debug.breakAt(GATE_LINE);
    const refused = code.page.locator('.editor-instance .codicon-debug-breakpoint-unverified');
    await code.command('Forklens: Debug Transaction…');
    await code.answer('Transaction hash', hash);
    await code.command('View: Show Run and Debug');
    await debug.frames.first().waitFor();
    await code.openFile('Gate.sol');
    await refused.waitFor();
    await code.screenshot('debug-refused-breakpoint');
    await writeHardhatBuild(workspace, GATE_FILE, GATE);
    await code.page.locator('.editor-instance .codicon-debug-breakpoint').waitFor();
    await debug.toolbar(/^Continue/).click();
    await debug.isAt('Gate.open', GATE_LINE, 0);
    await code.screenshot('debug-renewed-breakpoint');
    await debug.end();
  });

  it('pauses a search where it has got to', async () => {
    const { workspace } = code.workbench;
    const codes = await writeHardhatBuild(workspace, ROUNDS_FILE, ROUNDS, { version: 3 });
    const to = `0x${'70bd'.repeat(10)}`;
    await call(rpc, 'anvil_setCode', to, codes.get('Rounds'));
    const hash = await call(rpc, 'eth_sendTransaction', { to, data: id('run()').slice(0, 10) });
    await code.command('Forklens: Debug Transaction…');
    await code.answer('Transaction hash', hash);
    await code.page.getByRole('tab', { name: 'Rounds.sol' }).waitFor();
    await code.command('View: Show Run and Debug');
    await debug.isAt('Rounds.run', 12);
    await debug.breakWhere(ROUNDS_LINE, 'slow() == i + 1');
    await debug.logAt(ROUNDS_LINE - 1, 'round {i}');
    await code.command('Debug Console: Focus on Debug Console View');
    await debug.toolbar(/^Continue/).click();
    // A search that is paused before it has got anywhere stays where it began.
    await code.page.locator('.repl-tree .monaco-list-row', { hasText: 'round ' }).first().waitFor();
    await code.page.keyboard.press('F6');
    await code.page.getByText('Paused on pause').first().waitFor();
    await evaluate('i < 2999', 'true');
    await code.screenshot('debug-paused');
    await debug.end();
  });
});
