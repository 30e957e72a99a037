import assert from 'node:assert/strict';
import type { ToWebview } from '../../media/inspector/protocol/protocol';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const CAROL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const HUSD = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';
const LABEL = 'When did this change…';

describe('inspector: when did this change', () => {
  const inspectors = useInspectors();

  const asked = async (inspector: InspectorPage, row: RegExp): Promise<unknown> => {
    const found = inspector.page.locator('.grid-row', { hasText: row }).first();
    await found.hover();
    await found.getByRole('button', { name: LABEL }).click();
    return (await inspector.sent()).findLast(({ type }) => type === 'whenChanged');
  };
  const able: ToWebview = {
    type: 'hostContext',
    hostContext: { hasExplorer: false, actions: [], canAskPast: true },
  };

  it('is asked of a variable, a nonce and a balance of the state', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'state');
    assert.equal(await inspector.page.getByRole('button', { name: LABEL }).count(), 0);
    await inspector.post(able);
    await inspector.page.getByRole('textbox', { name: /Filter/ }).fill('carol');
    assert.deepEqual(await asked(inspector, /^balanceOf\[carol\]/), {
      type: 'whenChanged',
      expression: `balanceOf[${CAROL}]`,
      contract: HUSD,
    });
    assert.deepEqual(await asked(inspector, /^nonce/), {
      type: 'whenChanged',
      expression: `nonce(${CAROL})`,
      contract: CAROL,
    });
    assert.deepEqual(await inspector.accessibilityFaults('.panel'), []);
  });

  it('is asked of a balance', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'balances');
    await inspector.post(able);
    await inspector.page.getByRole('textbox', { name: /Filter/ }).fill('carol');
    assert.deepEqual(await asked(inspector, /hUSD/), {
      type: 'whenChanged',
      expression: `${HUSD}.balanceOf(${CAROL})`,
    });
  });
});
