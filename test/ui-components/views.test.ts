import assert from 'node:assert/strict';
import type { ForkOrigin } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, sandboxParts } from './fixtures';
import { useInspectors } from './inspector-page';

const CAROL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

describe('inspector: overview', () => {
  const inspectors = useInspectors();

  it('lists the highlights with links to the call tree', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'overview');
    assert.deepEqual(await page.locator('.highlights li').allInnerTexts(), [
      'carol gained most: +$69.98',
      'HBR/hUSD side pool lost most: −$73.00',
      'Arbitrageur borrowed 2,000 hUSD from Flash lender and gave it back',
    ]);
    await page.getByRole('button', { name: 'borrowed' }).click();
    const selected = page.locator('[role=treeitem][aria-selected=true]');
    assert.equal(await selected.getAttribute('data-index'), '4');
  });

  it('shows approvals, and facts of some kinds of transactions only', async () => {
    const approve = await inspectors.showTab('approve', 'overview');
    const [line] = await approve.page.locator('.highlights li').allInnerTexts();
    assert.match(line!, /^alice lets Router spend /);
    const batch = await inspectors.showTab('eip7702-batch', 'overview');
    const facts = (await batch.page.locator('.overview').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /1 authorization carol 0x90f7…b906 takes on the code of Batch executor/);
    assert.match(facts, /Type 4 sets code of accounts \(EIP-7702\)/);
  });

  it('shows blobs, access lists and fields of rollups', async () => {
    const parts = sandboxParts('approve');
    parts.flow.transaction = {
      ...parts.flow.transaction,
      type: 3,
      blobs: {
        ...{ versionedHashes: [`0x01${'a'.repeat(62)}`], maxFeePerGas: '5000' },
        ...{ gasUsed: null, gasPrice: '' },
      },
      accessList: [{ address: CAROL, storageKeys: [`0x${'0'.repeat(64)}`] }],
      extra: { l1Fee: '0x12', mint: { to: '<b>' } },
    };
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    const facts = (await inspector.page.locator('.overview').innerText()).replace(/\s+/g, ' ');
    for (const text of [
      '1 blob Blob gas unknown Price unknown of at most 5,000 wei 0x01aa…aaaa',
      'Access list carol 0x90f7…b906 1 slot',
      'Of the rollup l1Fee 0x12 mint {"to":"<b>"}',
    ]) {
      assert.ok(facts.includes(text), `${text} is not in: ${facts}`);
    }
  });

  /** A fork at a block, with all its transactions. */
  const forkAt = (blockNumber: number): ForkOrigin => ({
    ...{ name: 'my fork', chain: 'eth', blockNumber, position: null },
  });

  it('offers the actions of the host', async () => {
    const inspector = await inspectors.showTab('approve', 'overview');
    await inspector.page.getByRole('button', { name: 'Fork before' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), {
      ...{ type: 'run', action: 'forkBeforeTransaction' },
    });
    await inspector.post({
      type: 'hostContext',
      hostContext: { hasExplorer: false, fork: forkAt(0), actions: [] },
    });
    assert.equal(await inspector.page.getByRole('button', { name: 'Fork before' }).count(), 0);
    const where = inspector.page.locator('.where');
    assert.match(await where.innerText(), /^on my fork sandbox/);
    const { blockNumber } = sandboxParts('approve').flow.transaction;
    await inspector.post({
      type: 'hostContext',
      hostContext: { hasExplorer: false, fork: forkAt(blockNumber), actions: [] },
    });
    assert.match(await where.innerText(), /^on eth, seen from fork my fork/);
  });

  it('highlights all occurrences of the address under the pointer', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'overview');
    const marked = (): Promise<number> =>
      page
        .locator(`[data-address="${CAROL}"]`)
        .evaluateAll(
          (all) =>
            all.filter((element) => getComputedStyle(element).outlineStyle === 'solid').length,
        );
    assert.equal(await marked(), 0);
    await page.locator(`.highlights [data-address="${CAROL}"]`).hover();
    assert.equal(await marked(), 3);
    await page.getByRole('heading', { name: 'Proof' }).hover();
    assert.equal(await marked(), 0);
  });
});

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
    assert.ok((await account.boundingBox())!.x > room.x + room.width);
    await account.focus();
    const seen = (await account.locator('rect').boundingBox())!;
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
    assert.ok(bytes.readUInt32BE(16) > 1000);
    await page.locator('.arrow', { hasText: '6 · 69.975445 hUSD' }).locator('text').click();
    await page.getByRole('button', { name: 'Show 6 in tree' }).click();
    assert.equal(await page.getByRole('tree', { name: 'Call tree' }).count(), 1);
  });

  it('shows the same transfers as a table', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'fundFlow');
    const { page } = inspector;
    await page.getByRole('button', { name: 'As a table' }).click();
    assert.deepEqual((await inspector.cells())[0], [
      ...['1', 'Flash lender', 'Arbitrageur', '2,000', 'hUSD', '$2,000.00', 'Show'],
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
    await inspector.post(...messagesOfParts(parts));
    await inspector.tab('fundFlow');
    await inspector.page.getByText(/^ ?200 of 2,100 arrows/).waitFor();
    assert.equal(await inspector.page.locator('.arrow').count(), 200);
  });
});
