import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AGENT_TOOLS } from '../../server/agents/tools';
import type { TestApi } from '../../extension/api';
import { activate, createSandboxFork } from './support';

describe('agents in the editor', () => {
  let api: TestApi;

  before(async () => {
    api = await activate();
    await vscode.commands.executeCommand('forklens.startService');
  });

  async function use(name: string, input: object): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options);
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return part.value;
  }

  it('find the tools', () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const name of Object.keys(AGENT_TOOLS))
      assert.ok(names.includes(`forklens_${name}`), name);
  });

  it('analyze a transaction', async () => {
    const { fork } = await createSandboxFork(api, 'for agents');
    const response = await fetch(fork.rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: ['0x8', false],
      }),
    });
    const { result } = (await response.json()) as { result: { transactions: string[] } };
    const [transaction] = result.transactions;
    const text = await use('forklens_analyze_transaction', { chain: 'sandbox', transaction });
    assert.match(text, /CALL "Router"\.swapExactTokensForTokens\(/);
  });

  it('list projects with their forks', async () => {
    const projects = JSON.parse(await use('forklens_list_projects', {})) as {
      name: string;
      forks: { name: string }[];
    }[];
    assert.equal(projects[0]?.name, 'default');
    assert.ok(projects[0].forks.some(({ name }) => name === 'for agents'));
  });
});
