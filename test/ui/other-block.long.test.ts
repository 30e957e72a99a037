import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { encode } from '../support/nested-calls';
import { useCodeWindow, WORKBENCH_MS } from './support/code-window';

const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HUSD = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';

describe('the other block in the editor', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();

  it('is forked with the state after it, and can be used at once', async () => {
    const code = window();
    await code.showView();
    await code.row('Create a fork…').waitFor();
    await code.showPane('Projects', false);
    await code.showPane('Chains');
    await code.row('Sandbox').waitFor();
    await code.row('Story').click();
    await code.page.keyboard.press('ArrowLeft');
    await code.contextMenu(code.row(/^8/), 'What Would Have Happened…');
    const page = code.inspector();
    const items = page.getByRole('option');
    await items.nth(1).press('Alt+ArrowUp');
    await items.nth(0).filter({ hasText: 'multicall' }).waitFor();
    await page.getByRole('button', { name: 'Create fork of the result…' }).click();
    await code.answer('Name of the fork', 'bob first');
    const result = page.getByRole('status');
    await result.filter({ hasText: /^1 → 0 +0x1aa6\w+ other effects$/m }).waitFor();
    await result
      .filter({ hasText: /^Fork "bob first" \(fork_\w+\) has the state after the other block\.$/m })
      .waitFor();
    await result.getByText(/has the state after/).scrollIntoViewIfNeeded();
    await code.showPane('Chains', false);
    await code.showPane('Projects');
    await code.row('bob first').waitFor();
    await code.screenshot('other-block-fork');
    const rpc = await code.copyRpcUrl('bob first');
    const data = encode('function balanceOf(address)', [BOB]);
    const balance = await call(rpc, 'eth_call', { to: HUSD, data });
    // 0.793787 hUSD more than on the chain.
    assert.equal(BigInt(balance), 1_449_316_460n + 793_787n);
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x8');
  });
});
