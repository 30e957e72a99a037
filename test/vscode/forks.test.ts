import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { call } from '../support/json-rpc';
import type { TestApi } from '../../extension/api';
import type { ForkNode, TransactionNode } from '../../extension/model/tree-node';
import { activate, createSandboxFork } from './support';

const SENDER = `0x${'ca'.repeat(20)}`;
const RECEIVER = `0x${'da'.repeat(20)}`;

describe('forks in the tree', () => {
  let api: TestApi;
  let fork: ForkNode;
  let transaction: TransactionNode;

  before(async () => {
    api = await activate();
    fork = await createSandboxFork(api, 'of the suite');
  });

  it('show their fork point and that they run', () => {
    const { label, description, actions } = api.view(fork);
    assert.equal(label, 'of the suite');
    assert.equal(description, 'sandbox @ 8 · running');
    assert.ok(actions.includes('copyRpcUrl') && actions.includes('delete'));
  });

  it('copy the RPC URL and the id of the fork that the menu was opened on', async () => {
    await vscode.commands.executeCommand('forklens.copyRpcUrl', fork);
    assert.equal(await vscode.env.clipboard.readText(), fork.fork.rpc);
    await vscode.commands.executeCommand('forklens.copyForkId', fork);
    assert.equal(await vscode.env.clipboard.readText(), fork.fork.forkId);
  });

  it('show a transaction sent through the RPC URL after a refresh', async () => {
    const empty = await api.children(fork);
    assert.deepEqual(
      empty.map((node) => api.view(node).label),
      ['Snapshots', 'No transactions yet'],
    );
    await call(fork.fork.rpc, 'anvil_setBalance', SENDER, '0xde0b6b3a7640000');
    const hash = await call(fork.fork.rpc, 'eth_sendTransaction', {
      from: SENDER,
      to: RECEIVER,
      value: '0x2386f26fc10000',
    });
    await vscode.commands.executeCommand('forklens.refresh', fork);
    const [, first, ...others] = await api.children(fork);
    assert.ok(first?.kind === 'transaction');
    assert.deepEqual(others, []);
    assert.equal(first.transaction.hash, hash);
    assert.equal(api.view(first).label, 'native transfer');
    transaction = first;
  });

  it('open one inspector per transaction', async () => {
    const inspectors = (): vscode.Tab[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputWebview &&
            input.viewType.endsWith('forklens.inspector'),
        );
    const opened = new Promise<void>((resolve) => {
      const subscription = vscode.window.tabGroups.onDidChangeTabs(() => {
        if (inspectors().length === 0) return;
        subscription.dispose();
        resolve();
      });
    });
    await vscode.commands.executeCommand('forklens.analyzeTransaction', transaction);
    await opened;
    await vscode.commands.executeCommand('forklens.analyzeTransaction', transaction);
    const { hash } = transaction.transaction;
    assert.deepEqual(
      inspectors().map(({ label }) => label),
      [`native transfer ${hash.slice(0, 6)}…${hash.slice(-4)}`],
    );
  });
});

describe('the commands of a fork', () => {
  let api: TestApi;
  let fork: ForkNode;

  before(async () => {
    api = await activate();
    fork = await createSandboxFork(api, 'with tools');
  });

  it('open a terminal whose tools use the fork', async () => {
    await vscode.commands.executeCommand('forklens.openForkTerminal', fork);
    const terminal = vscode.window.terminals.find(({ name }) => name === 'Fork with tools');
    assert.ok(terminal);
    const { env } = terminal.creationOptions as vscode.TerminalOptions;
    assert.equal(env?.['ETH_RPC_URL'], fork.fork.rpc);
    terminal.dispose();
  });

  it('write a Foundry test of a transaction of the fork', async () => {
    await call(fork.fork.rpc, 'anvil_setBalance', SENDER, '0xde0b6b3a7640000');
    const transaction = await call(fork.fork.rpc, 'eth_sendTransaction', {
      from: SENDER,
      to: RECEIVER,
      value: '0x7b',
    });
    const target = { chain: fork.fork.forkId, transaction };
    await vscode.commands.executeCommand('forklens.createFoundryTest', target);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, new RegExp(`bytes32 constant TRANSACTION = ${transaction};`));
    assert.match(text, /Change\(Kind\.Native, 0x(DA|da|Da|dA)+, address\(0\), 0, 123, /);
    assert.equal(text.includes(fork.fork.rpc), false);
  });

  it('start it on request', async () => {
    await vscode.commands.executeCommand('forklens.startFork', fork);
    const params = { project_id: fork.parent.project.projectId, fork_id: fork.fork.forkId };
    const { state, transactionCount } = await api.client.call('getFork', { params });
    assert.deepEqual({ state, transactionCount }, { state: 'running', transactionCount: 1 });
  });
});
