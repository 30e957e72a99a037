import assert from 'node:assert/strict';
import type { ToWebview } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, sandboxParts } from './fixtures';
import { useInspectors } from './use-inspectors';

describe('inspector: fund flow', () => {
  const inspectors = useInspectors();

  it('is loaded when it is shown, and can be cancelled', async () => {
    const inspector = await inspectors.open();
    const { flow } = sandboxParts('flash-loan');
    await inspector.post(...messagesOfParts({ flow }));
    const loads = async (): Promise<unknown[]> =>
      (await inspector.sent()).filter((sent) => 'part' in sent && sent.part === 'fundFlow');
    assert.deepEqual(await loads(), []);
    await inspector.page.getByRole('tab', { name: 'Fund flow' }).click();
    await inspector.page.getByText('Loading the fund flow…').waitFor();
    await inspector.page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await loads(), [
      { type: 'load', part: 'fundFlow' },
      { type: 'cancel', part: 'fundFlow' },
    ]);
  });

  it('shows accounts as buttons that emphasize their arrows', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'fundFlow');
    const lender = page.getByRole('button', { name: 'Flash lender 0x9a67…7508: 1 in, 1 out' });
    await lender.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Flash lender/, pressed: true }).waitFor();
    assert.deepEqual(await page.locator('.arrow:not(.faint) text').allTextContents(), [
      '1 · 2,000 hUSD',
      '5 · 2,001.8 hUSD',
    ]);
    await page.keyboard.press('Escape');
    await page.locator('.arrow.faint').first().waitFor({ state: 'detached' });
  });

  it('zooms and pans with keys, wheel and drag, and fits again', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'fundFlow');
    const { page } = inspector;
    const moved = page.locator('.graph > g[transform]');
    const graph = page.getByRole('group', { name: /^Fund flow graph of 5 accounts and 6 arrows/ });
    assert.equal(await moved.count(), 0);
    await graph.focus();
    await page.keyboard.press('+');
    assert.match((await moved.getAttribute('transform'))!, /scale\([\d.]+\)$/);
    await page.keyboard.press('0');
    await moved.waitFor({ state: 'detached' });
    const box = (await graph.boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 65, box.y + 5, { steps: 3 });
    await page.mouse.up();
    const dragged = await moved.getAttribute('transform');
    await page.keyboard.press('ArrowRight');
    await page.locator(`.graph > g[transform]:not([transform="${dragged}"])`).waitFor();
    await page.mouse.wheel(0, 30);
    await page.getByRole('button', { name: 'Fit into the window (0)' }).click();
    await moved.waitFor({ state: 'detached' });
  });

  it('selects arrows with keys, and keeps focused elements in view', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'fundFlow');
    const graph = page.getByRole('group', { name: /^Fund flow graph/ });
    const reported = page.locator('.fund-flow [role=status]').last();
    await graph.focus();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    assert.match(await reported.innerText(), /^2 · 2,000 hUSD/);
    await page.keyboard.press('Shift+N');
    await page.keyboard.press('Shift+N');
    assert.match(await reported.innerText(), /^6 · 69\.975445 hUSD/);
    // With a focused account, only its arrows.
    await page.getByRole('button', { name: /^Flash lender/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    assert.match(await reported.innerText(), /^5 · 2,001\.8 hUSD/);
    for (let step = 0; step < 8; step++) await page.keyboard.press('+');
    const room = (await graph.boundingBox())!;
    const account = page.getByRole('button', { name: /^HBR\/hUSD side pool/ });
    assert.ok((await account.boundingBox())!.y > room.y + room.height);
    await account.focus();
    const seen = (await account.locator('rect').first().boundingBox())!;
    assert.ok(seen.x >= room.x && seen.x < room.x + room.width, String(seen.x));
    assert.ok(seen.y >= room.y && seen.y < room.y + room.height, String(seen.y));
  });

  it('links from an arrow to the call tree, and saves drawings through the host', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'fundFlow');
    const { page } = inspector;
    const saved = async (): Promise<{ name: string; content: string; encoding?: string }> => {
      const last = (await inspector.sent()).at(-1);
      assert.equal(last?.type, 'save');
      return last;
    };
    await page.getByRole('button', { name: 'Save SVG' }).click();
    const svg = await saved();
    assert.equal(svg.name, 'fund-flow-0x81419164.svg');
    assert.match(svg.content, /^<svg /);
    assert.equal(svg.content.includes('var('), false);
    await page.getByRole('button', { name: 'Save PNG' }).click();
    const png = await saved();
    assert.equal(png.encoding, 'base64');
    const bytes = Buffer.from(png.content, 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.readUInt32BE(16) > 500);
    await page.locator('.arrow', { hasText: '6 · 69.975445 hUSD' }).locator('text').click();
    await page.getByRole('button', { name: 'Show 6 in tree' }).click();
    assert.equal(await page.getByRole('tree', { name: 'Call tree' }).count(), 1);
  });

  it('shows the same transfers as a table', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'fundFlow');
    const { page } = inspector;
    await page.getByRole('button', { name: 'As a table' }).click();
    assert.deepEqual((await inspector.cells())[0], [
      '1',
      'Flash lender',
      'Arbitrageur',
      '2,000',
      'hUSD',
      '$2,000.00',
      'Show',
    ]);
    await page.getByRole('textbox', { name: 'Filter by account or asset' }).fill('lender HUSD');
    await page.getByText('2 of 6').waitFor();
    assert.deepEqual(
      (await inspector.cells()).map(([number]) => number),
      ['1', '5'],
    );
  });

  it('shows the arrows with the greatest value if there are hundreds, and states that', async () => {
    const parts = sandboxParts('flash-loan');
    const [first] = parts.fundFlow.fundFlow;
    const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`;
    parts.fundFlow.fundFlow = Array.from({ length: 3000 }, (_, order) => ({
      ...first!,
      order,
      value: String(order),
      from: address(order % 60),
      to: address(60 + (order % 50)),
      asset: address(1000 + (order % 7)),
    }));
    const inspector = await inspectors.open();
    // While transfers arrive, the graph is small.
    const messages = messagesOfParts(parts);
    const isSlice = (one: ToWebview): boolean => one.type === 'slice' && one.part === 'fundFlow';
    const [last] = messages.splice(messages.findLastIndex(isSlice), 1);
    await inspector.post(...messages);
    await inspector.tab('fundFlow');
    await inspector.page.getByText(/^ ?24 of [\d,]+ arrows/).waitFor();
    assert.equal(await inspector.page.locator('.arrow').count(), 24);
    await inspector.post(last!);
    await inspector.page.getByText(/^ ?100 of 2,100 arrows/).waitFor();
    assert.equal(await inspector.page.locator('.arrow').count(), 100);
  });
});
