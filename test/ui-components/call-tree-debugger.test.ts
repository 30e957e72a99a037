import assert from 'node:assert/strict';
import { nodeId } from '../../media/inspector/model/tree-model';
import type { ExecutedNode, FromWebview } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, partMessages, sandboxParts } from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const parts = sandboxParts('exploit-reentrancy');
const { rows } = parts.flow;
const [top, first, event, second] = rows.map(nodeId) as [number, number, number, number];

const internal = (call: number, name: string, depth: number): ExecutedNode => ({
  depth,
  internal: { call, name, contract: 'VaultThief', address: `0x${'a'.repeat(40)}` },
});
const nodes: ExecutedNode[] = [
  { nodeId: top, depth: 0 },
  internal(1, '_begin', 1),
  internal(2, '_enter', 2),
  { nodeId: first, depth: 3 },
  { nodeId: event, depth: 4 },
];

describe('inspector: call tree beside a debugger', () => {
  const inspectors = useInspectors();

  /** The call tree while a debugger of the transaction is at a place. */
  async function debugged(place: {
    node: number | null;
    internalCalls: number[];
  }): Promise<InspectorPage> {
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    await inspector.tab('calls');
    await inspector.post({ type: 'debugger', place });
    await inspector.page.locator('.row.debugged').waitFor();
    return inspector;
  }
  const moves = async (inspector: InspectorPage): Promise<FromWebview[]> =>
    (await inspector.sent()).filter(({ type }) => type === 'moveDebugger');
  const marked = ({ page }: InspectorPage): Promise<string[]> =>
    page.locator('.row.debugged .line').allInnerTexts();
  const selected = ({ page }: InspectorPage): Promise<string | null> =>
    page.locator('[role=treeitem][aria-selected=true]').getAttribute('data-index');
  const row = ({ page }: InspectorPage, index: number) =>
    page.locator(`.row[role=treeitem][data-index="${index}"]`);
  async function withInternals(inspector: InspectorPage): Promise<void> {
    await inspector.page.getByRole('button', { name: 'Calls inside contracts' }).click();
    await inspector.post(...partMessages('internalCalls', { nodes }));
    await inspector.page.locator('[role=treeitem]', { hasText: 'INTERNAL' }).first().waitFor();
  }

  it('moves the debugger to a row that is clicked, once for a double click', async () => {
    const inspector = await debugged({ node: top, internalCalls: [] });
    await row(inspector, 3).click();
    assert.deepEqual(await moves(inspector), [{ type: 'moveDebugger', to: second }]);
    assert.equal(await selected(inspector), '3');
    await row(inspector, 1).dblclick();
    assert.deepEqual((await moves(inspector)).slice(1), [{ type: 'moveDebugger', to: first }]);
  });

  it('selects rows by keys without moving the debugger', async () => {
    const inspector = await debugged({ node: top, internalCalls: [] });
    await inspector.page.locator('[role=tree]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'End', 'Home', 'ArrowDown']) {
      await inspector.page.keyboard.press(key);
    }
    assert.equal(await selected(inspector), '1');
    assert.deepEqual(await moves(inspector), []);
  });

  it('leaves the debugger at the row where it is', async () => {
    const inspector = await debugged({ node: first, internalCalls: [] });
    await row(inspector, 1).click();
    assert.deepEqual(await moves(inspector), []);
  });

  it('selects rows alone without a debugger, as after its end', async () => {
    const inspector = await debugged({ node: top, internalCalls: [] });
    await inspector.post({ type: 'debugger', place: undefined });
    await row(inspector, 3).click();
    assert.equal(await selected(inspector), '3');
    assert.deepEqual(await moves(inspector), []);
  });

  it('keeps the clicked event selected when the debugger arrives in its call, then follows again', async () => {
    const inspector = await debugged({ node: top, internalCalls: [] });
    await row(inspector, 2).click();
    assert.deepEqual(await moves(inspector), [{ type: 'moveDebugger', to: event }]);
    await inspector.post({ type: 'debugger', place: { node: first, internalCalls: [] } });
    assert.equal(await row(inspector, 1).getAttribute('class'), 'row ok debugged');
    assert.equal(await selected(inspector), '2');
    await inspector.post({ type: 'debugger', place: { node: second, internalCalls: [] } });
    assert.equal(await selected(inspector), '3');
  });

  it('marks the innermost call inside a contract, as far as the tree shows them', async () => {
    const inspector = await debugged({ node: top, internalCalls: [9, 2, 1] });
    assert.match((await marked(inspector)).join(), /attack/);
    await withInternals(inspector);
    assert.match((await marked(inspector)).join(), /_enter/);
    await inspector.post({ type: 'debugger', place: { node: top, internalCalls: [1] } });
    assert.match((await marked(inspector)).join(), /_begin/);
    assert.equal(await selected(inspector), '1');
    await inspector.page.getByRole('button', { name: 'Calls inside contracts' }).click();
    assert.match((await marked(inspector)).join(), /attack/);
  });

  it('moves the debugger to a call inside a contract by its number in the recording', async () => {
    const inspector = await debugged({ node: second, internalCalls: [] });
    await withInternals(inspector);
    await row(inspector, 2).click();
    assert.deepEqual(await moves(inspector), [{ type: 'moveDebugger', to: { call: 2 } }]);
  });
});
