import assert from 'node:assert/strict';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('labels of addresses', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  it('are added in a view that explains their purpose', async () => {
    await code.page.locator('.pane-header', { hasText: 'Labels' }).click();
    await code.welcome.filter({ hasText: 'Name an address once' }).waitFor();
    await code.screenshot('labels-empty');
    await code.welcome.getByRole('button', { name: 'Name Address' }).click();
    await code.answer('Address to name', '0x12');
    await code.quickInput.locator('.quick-input-message', { hasText: '40 hex digits' }).waitFor();
    await code.answer('40 hex digits', ALICE);
    await code.choose('Where the name counts', 'All chains');
    await code.answer('Name of 0x7099…79c8', 'the whale');
    await code.row('the whale').waitFor();
    await code.screenshot('labels');
  });

  it('appear in every analysis', async () => {
    await code.command('Forklens: Analyze Transaction…');
    await code.answer('Transaction hash', sandboxHash('swap-two-hops'));
    await code.choose('Chain or fork of the transaction', 'sandbox');
    await code.inspector().getByText('the whale').first().waitFor();
    await code.screenshot('labels-inspector');
  });

  it('are renamed and deleted', async () => {
    await code.contextMenu(code.row('the whale'), 'Rename Label…');
    await code.answer('Name of 0x7099…79c8', 'alice again');
    await code.row('alice again').waitFor();
    await code.contextMenu(code.row('alice again'), 'Delete Label');
    await code.row('alice again').waitFor({ state: 'detached' });
    assert.equal((await code.rows()).filter((row) => row.includes('whale')).length, 0);
  });
});
