import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { sandboxHash } from '../support/sandbox-hashes';
import { activate } from './support';

describe('agents in the editor', () => {
  before(() => activate());

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
    const transaction = sandboxHash('swap-two-hops');
    const text = await use('forklens_analyze_transaction', { chain: 'sandbox', transaction });
    assert.match(text, /CALL Router\.swapExactTokensForTokens\(/);
  });

  it('list projects', async () => {
    const projects = JSON.parse(await use('forklens_list_projects', {})) as { name: string }[];
    assert.equal(projects[0]?.name, 'default');
  });
});
