import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ForkPlace } from '../../media/inspector/protocol';
import { messagesOfParts, sandboxParts } from './fixtures';
import { useInspectors } from './inspector-page';

/** The cells of the rows in view, top to bottom. */
function cellsOf(page: Page): Promise<string[][]> {
  return page
    .locator('.grid-row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) =>
          (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
        ),
      ),
    );
}

const CAROL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

describe('inspector: overview', () => {
  const inspectors = useInspectors();

  it('tells what stands out, and leads there', async () => {
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

  it('tells approvals and what only some kinds of transactions have', async () => {
    const approve = await inspectors.showTab('approve', 'overview');
    const [line] = await approve.page.locator('.highlights li').allInnerTexts();
    assert.match(line!, /^alice lets Router spend /);
    const batch = await inspectors.showTab('eip7702-batch', 'overview');
    const facts = (await batch.page.locator('.overview').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /1 authorization carol 0x90f7…b906 takes on the code of Batch executor/);
    assert.match(facts, /Type 4 sets code of accounts \(EIP-7702\)/);
  });

  it('tells blobs, access lists and fields of rollups', async () => {
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

  /** A fork after the whole of a block. */
  const forkAt = (blockNumber: number): ForkPlace => ({
    ...{ name: 'my fork', chain: 'eth', blockNumber, position: null },
  });

  it('offers what the host can do with the transaction', async () => {
    const inspector = await inspectors.showTab('approve', 'overview');
    await inspector.page.getByRole('button', { name: 'Fork before' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), {
      ...{ type: 'run', action: 'forkBeforeTransaction' },
    });
    await inspector.post({
      type: 'surroundings',
      surroundings: { hasExplorer: false, fork: forkAt(0), actions: [] },
    });
    assert.equal(await inspector.page.getByRole('button', { name: 'Fork before' }).count(), 0);
    const where = inspector.page.locator('.where');
    assert.match(await where.innerText(), /^on my fork sandbox/);
    const { blockNumber } = sandboxParts('approve').flow.transaction;
    await inspector.post({
      type: 'surroundings',
      surroundings: { hasExplorer: false, fork: forkAt(blockNumber), actions: [] },
    });
    assert.match(await where.innerText(), /^on eth, seen from fork my fork/);
  });

  it('marks an address wherever it stands while it is pointed at', async () => {
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

  it('is asked for when it is looked at, and can be cancelled', async () => {
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

  it('shows accounts as buttons and the arrows of one alone', async () => {
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

  it('zooms and pans by keys, wheel and drag, and fits again', async () => {
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

  it('leads from an arrow to the tree, and saves drawings through the host', async () => {
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

  it('has the same as a table', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'fundFlow');
    await page.getByRole('button', { name: 'As a table' }).click();
    assert.deepEqual((await cellsOf(page))[0], [
      ...['1', 'Flash lender', 'Arbitrageur', '2,000', 'hUSD', '$2,000.00', 'Show'],
    ]);
  });

  it('keeps to the arrows of the greatest worth where there are hundreds, and says so', async () => {
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

describe('inspector: events', () => {
  const inspectors = useInspectors();

  it('lists logs in order, filters, and shows them raw', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'events');
    assert.deepEqual((await cellsOf(page))[0], [
      '0',
      'hUSD',
      'Transfer(from: Flash lender, to: Arbitrageur, value: 2,000,000,000)',
      'Show',
    ]);
    await page.getByRole('textbox', { name: /Filter/ }).fill('swap pool');
    await page.getByText('2 of 11').waitFor();
    await page.getByRole('checkbox', { name: 'Raw' }).check();
    assert.match((await cellsOf(page))[0]![2]!, /^0x[0-9a-f]{4}…[0-9a-f]{4}\(topic 1: 0x/);
  });

  it('leads to the tree by Enter', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'events');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { selected: true, name: /^Event .*Transfer/ }).waitFor();
  });

  it('holds 50,000 logs with a few dozen elements', async () => {
    const parts = sandboxParts('flash-loan');
    const event = parts.flow.rows.find(({ nodeType }) => nodeType === 1)!;
    assert.ok(event.nodeType === 1);
    parts.flow.rows = Array.from({ length: 50_000 }, (_, id) =>
      id === 0 ? parts.flow.rows[0]! : { ...event, depth: 1, event: { ...event.event, id } },
    );
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts({ flow: parts.flow }));
    await inspector.tab('events');
    const { page } = inspector;
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.locator('[aria-rowindex="50000"]').waitFor();
    assert.ok((await page.locator('.grid-row').count()) < 80);
  });
});

describe('inspector: state', () => {
  const inspectors = useInspectors();

  it('shows before and after by account, with names of variables', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'state');
    await page.getByRole('textbox', { name: /Filter/ }).fill('carol');
    const cells = await cellsOf(page);
    assert.deepEqual(
      cells.filter(([what = '']) => /^carol|^nonce$/.test(what)),
      [
        ['carol 0x90f7…b906', '', '', '2 changes'],
        ['nonce', '8', '9', '+1'],
      ],
    );
    assert.ok(cells.some(([what]) => what === 'balanceOf[carol]'));
  });
});

describe('inspector: gas', () => {
  const inspectors = useInspectors();

  it('shows frames as wide as their gas, zooms and says what is chosen', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'gas');
    const widths = async (): Promise<number[]> =>
      page
        .locator('.bar')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const [top, loan] = await widths();
    assert.ok(loan! < top! && loan! > 0.8 * top!);
    const flame = page.getByRole('tree', { name: /^Flame graph/ });
    await flame.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.match(
      await page.locator('.flame-note').innerText(),
      /^Flash lender\.flashLoan 129,864 /,
    );
    const zoomed = await widths();
    assert.ok(Math.abs(zoomed[1]! - zoomed[0]!) < 2);
    await page.keyboard.press('Escape');
    assert.deepEqual((await widths())[1], loan);
    await page.keyboard.press('t');
    await page.getByRole('treeitem', { selected: true, name: /flashLoan/ }).waitFor();
  });

  it('highlights what is searched for, with its share', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'gas');
    await page.getByRole('textbox', { name: /Highlight/ }).fill('swap');
    await page.getByText('2 of 20').waitFor();
    assert.equal(await page.locator('.bar:not(.faint)').count(), 2);
  });

  it('sums by contract and method, sorted as the reader likes', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'gas');
    const first = await cellsOf(page);
    assert.deepEqual(first[0], ['hUSD 0xcf7e…0fc9', '11', '80,886', '61.9 %', '80,886']);
    assert.deepEqual(first[1], ['transfer', '5', '75,790', '58.0 %', '75,790']);
    await page.getByRole('button', { name: 'Calls' }).click();
    await page.getByRole('button', { name: 'Calls' }).click();
    assert.equal((await cellsOf(page))[0]![1], '1');
  });
});
