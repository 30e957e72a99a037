import assert from 'node:assert/strict';
import { messagesOfParts, partMessages, sandboxParts } from './fixtures';
import { partyRows } from './party-cells';
import { useInspectors } from './use-inspectors';

describe('inspector: the parties that matter', () => {
  const inspectors = useInspectors();

  it('has no column of US dollars without a price, and marks what events claim', async () => {
    const parts = sandboxParts('flash-loan');
    const [carol] = parts.flow.summary!.parties!;
    const change = { ...carol!.changes[0]!, value: undefined };
    const claimed = { rawAmount: '99000000', amount: '99', sign: true };
    parts.flow.summary!.parties = [{ ...carol!, changes: [{ ...change, claimed }] }];
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts({ flow: parts.flow }));
    assert.deepEqual(await partyRows(inspector.page), [
      ['carol sender', '+69.975445', 'hUSD events claim +99'],
    ]);
  });

  it('says that the parties are not known where the service is older', async () => {
    const parts = sandboxParts('flash-loan');
    delete parts.flow.summary!.parties;
    const inspector = await inspectors.open();
    const { page } = inspector;
    await inspector.post(...messagesOfParts({ flow: parts.flow }));
    await page.getByText('Reading balance changes…').waitFor();
    await inspector.post(...partMessages('balanceChange', parts.balanceChange));
    await page.getByRole('button', { name: 'All balance changes', exact: true }).waitFor();
    const none = { ...parts.balanceChange, balanceChange: [] };
    await inspector.post(...partMessages('balanceChange', none));
    await page.getByText('No balance changed. Fees are not counted.').waitFor();
  });
});
