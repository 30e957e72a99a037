import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { writeHardhatBuild } from '../support/hardhat-build';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const FIRST_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TILL = `pragma solidity ^0.8.24;
abstract contract Counted {
    uint256 total;
    function count() external view virtual returns (uint256) {
        return total;
    }
}
contract Till is Counted {
    address owner;
    constructor(uint256 first) payable {
        require(first > 0, "first is zero");
        total = first;
        owner = msg.sender;
    }
    function pay(uint256 amount) external payable returns (uint256 sum) {
        sum = total + amount;
        total = sum;
    }
}
`;
const lineOf = (text: string): number =>
  TILL.split('\n').findIndex((line) => line.includes(text)) + 1;
/** Lenses of the file's functions, in their order. */
const [COUNT, , PAY] = [0, 1, 2];

describe('a function without a deployment, in the debugger', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    await writeHardhatBuild(code.workbench.workspace, 'contracts/Till.sol', TILL);
    await code.showView();
    await code.row('default').waitFor();
  });

  const begin = async (lens: number, chain: string): Promise<void> => {
    await code.openFile('Till.sol');
    await code.page.locator('.codelens-decoration a', { hasText: 'Debug' }).nth(lens).click();
    await code.choose('Fork or chain to simulate on', chain);
  };
  const message = (text: string) =>
    code.quickInput.locator('.quick-input-message', { hasText: text });
  /** Enters the arguments of the constructor and of the function. */
  const enter = async (first: string, amount: string): Promise<void> => {
    await code.choose('Where the contract is', 'Deploy on a throw-away fork');
    await message('first: Enter a whole number').waitFor();
    await code.answer('first: Enter a whole number', first);
    await code.answer('Native value of the creation', '1 ether');
    await code.answer('amount: Enter a whole number', amount);
    await code.answer('Native value to send along', '0');
    await message('Sender: any address').waitFor();
    assert.equal(await code.quickInput.locator('input.input').inputValue(), FIRST_ACCOUNT);
    await code.answer('Sender: any address', FIRST_ACCOUNT);
  };
  const throwAway = () => code.row('Till.pay (until its debug session ends)');

  it('is called on a fork that goes with the session', async () => {
    await begin(PAY, 'sandbox');
    await code.choose('Where the contract is', 'Deploy on a throw-away fork');
    await message('first: Enter a whole number').waitFor();
    assert.equal(await code.quickInput.locator('input.input').inputValue(), '0');
    await code.answer('first: Enter a whole number', 'many');
    await message('Enter a whole number from 0 to 2^256 - 1, or such as 1.5 ether.').waitFor();
    await code.screenshot('undeployed-argument');
    await code.page.keyboard.press('Escape');

    await begin(PAY, 'sandbox');
    await enter('7', '5');
    await code.command('View: Show Run and Debug');
    // The slot of a named result is made before the first statement.
    await debug.isAt('Till.pay', lineOf('function pay'), 0);
    await debug.variable(/^amount =\s*5/).waitFor();
    await debug.toolbar(/^Step Over/).click();
    await debug.isAt('Till.pay', lineOf('sum = total'), 0);
    await debug.toolbar(/^Step Over/).click();
    await debug.isAt('Till.pay', lineOf('total = sum'), 0);
    await debug.variable(/^sum =\s*12/).waitFor();
    await code.screenshot('undeployed-function');
    await code.showView();
    await throwAway().waitFor();
    await debug.end();
    await throwAway().waitFor({ state: 'detached' });
  });

  it('is debugged where its constructor fails', async () => {
    await begin(PAY, 'sandbox');
    await enter('0', '5');
    await code.command('View: Show Run and Debug');
    await debug.isAt('creation of Till', lineOf('require(first'), 0);
    await code.page.getByText('first is zero').first().waitFor();
    await code.screenshot('undeployed-constructor-failure');
    await debug.end();
    await code.showView();
    await throwAway().waitFor({ state: 'detached' });
  });

  it('keeps its fork while a session with a changed variable replaces the first one', async () => {
    await begin(PAY, 'sandbox');
    await enter('3', '4');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Till.pay', lineOf('function pay'), 0);
    await code.contextMenu(await debug.expanded(/^State$/, /^total =/), 'Set Value');
    await code.page.locator('.debug-view-content .inputBoxContainer input').fill('100');
    await code.page.keyboard.press('Enter');
    await debug.isAt('Till.pay', lineOf('function pay'), 0);
    await (await debug.expanded(/^State$/, /^total =\s*100/)).waitFor();
    await code.screenshot('undeployed-changed');
    await code.showView();
    await throwAway().waitFor();
    await debug.end();
    await throwAway().waitFor({ state: 'detached' });
  });

  it('is called on a copy of a fork, which stays as it is', async () => {
    const rpc = await code.forkSandbox('origin');
    await call(rpc, 'anvil_setBalance', FIRST_ACCOUNT, '0x1');
    const head = await call(rpc, 'eth_blockNumber');
    await begin(PAY, 'origin');
    await enter('3', '4');
    await code.command('View: Show Run and Debug');
    await debug.isAt('Till.pay', lineOf('function pay'), 0);
    await debug.end();
    await code.showView();
    await throwAway().waitFor({ state: 'detached' });
    await code.row('origin').waitFor();
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
    assert.equal(await call(rpc, 'eth_getBalance', FIRST_ACCOUNT, 'latest'), '0x1');
  });

  it('needs an address where the contract is abstract', async () => {
    await begin(COUNT, 'sandbox');
    await message('Address of the contract Counted, which has no code to deploy').waitFor();
    await code.screenshot('undeployed-abstract');
    await code.page.keyboard.press('Escape');
  });
});
