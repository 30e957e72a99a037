import assert from 'node:assert/strict';
import type { FromWebview, WrittenPart } from '../../media/inspector/protocol/protocol';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const GO = 'Go to Writer: the step, line and call that wrote this';

const asked = async (inspector: InspectorPage): Promise<WrittenPart[]> => {
  const isAsked = (one: FromWebview): one is Extract<FromWebview, { type: 'goToWriter' }> =>
    one.type === 'goToWriter';
  return (await inspector.sent()).filter(isAsked).map(({ written }) => written);
};

describe('inspector: what wrote a row', () => {
  const inspectors = useInspectors();

  it('is asked for by changes of the state, with the place in the slot', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'state');
    const { page } = inspector;
    await page.getByRole('textbox', { name: /Filter/ }).fill('carol');
    const row = page.getByRole('row', { name: /nonce/ });
    // The buttons of a row show while the pointer is on it.
    await row.hover();
    await row.getByRole('button', { name: GO }).click();
    const [nonce] = await asked(inspector);
    assert.equal(nonce?.label, 'nonce');
    assert.equal(nonce.query.of, 'nonce');
    assert.match(nonce.query.address ?? '', /^0x90f7[0-9a-f]{32}b906$/);
    await page.getByRole('textbox', { name: /Filter/ }).fill('balanceOf');
    const variable = page.getByRole('row', { name: /balanceOf/ }).first();
    await variable.hover();
    await variable.getByRole('button', { name: GO }).click();
    const [, balance] = await asked(inspector);
    assert.match(balance?.label ?? '', /^balanceOf\[/);
    assert.match(balance?.query.slot ?? '', /^0x[0-9a-f]{64}$/);
    assert.equal(balance?.type, 'uint256');
  });

  it('is asked for by balances, with their change in the smallest unit', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'balances');
    const { page } = inspector;
    await page.getByRole('row', { name: /hUSD/ }).first().hover();
    await page.getByRole('button', { name: GO }).first().click();
    const [part] = await asked(inspector);
    assert.match(part?.label ?? '', /^balance in /);
    assert.match(part?.query.change ?? '', /^-?[0-9]+$/);
    assert.match(part?.query.asset ?? '', /^0x[0-9a-f]{40}$/);
  });

  it('is asked for by events, and a node is shown when the host says so', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'events');
    const { page } = inspector;
    await page.getByRole('button', { name: GO }).first().click();
    const [part] = await asked(inspector);
    assert.equal(part?.label, 'Transfer');
    const node = Number(part.query.node);
    assert.ok(node > 0);
    await inspector.post({ type: 'showNode', node });
    await page.getByRole('treeitem', { selected: true, name: /^Event .*Transfer/ }).waitFor();
  });
});
