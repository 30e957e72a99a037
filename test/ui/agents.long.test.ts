import assert from 'node:assert/strict';
import path from 'node:path';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const TOOL_USER = path.resolve(__dirname, '../fixtures/tool-user');

describe('agents in the editor window', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow({ 'chat.disableAIFeatures': false }, { companion: TOOL_USER });
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('Create a fork…').waitFor();
  });

  const question = () =>
    code.dialog.filter({
      hasText: 'Create the fork "[an agent’s](command:evil)" of sandbox at block 8?',
    });

  it('ask the user before they change something, in plain text', async () => {
    await code.command('Tool User: Create Fork');
    await question().filter({ hasText: 'Create fork' }).waitFor();
    await code.screenshot('agent-asks');
    assert.equal(await code.dialog.locator('.dialog-message-container a').count(), 0);
    await code.page.keyboard.press('Escape');
    await code.toast('not created').waitFor();
    assert.equal(await code.dialog.count(), 0);
    assert.deepEqual(await code.rows(), ['default', 'Create a fork…', 'localthis machine']);
  });

  it('change it after confirmation, and receive the result', async () => {
    await code.dismissToasts();
    await code.command('Tool User: Create Fork');
    await question().waitFor();
    await code.page.keyboard.press('Enter');
    await code.row(/an agent’s.*sandbox @ 8 · running/).waitFor();
    await code.toast('"chain": "sandbox"').waitFor();
  });

  it('start the bundled Model Context Protocol server', async () => {
    const choose = async (action: string): Promise<void> => {
      await code.command('MCP: List Servers');
      await code.choose('Select an MCP Server', /^Forklens/);
      await code.choose(/^Select action/, action);
    };
    await code.dismissToasts();
    await choose('Start Server');
    await choose('Show Output');
    const output = code.page.locator('.panel .view-lines');
    await output
      .filter({ hasText: `Discovered ${Object.keys(AGENT_TOOLS).length} tools` })
      .waitFor();
    await code.screenshot('mcp-server');
  });
});
