import assert from 'node:assert/strict';
import { messagesOfParts, sandboxParts } from './fixtures';
import { useInspectors } from './use-inspectors';

describe('inspector: events', () => {
  const inspectors = useInspectors();

  it('lists logs in order, filters, and shows them undecoded', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'events');
    const { page } = inspector;
    assert.deepEqual((await inspector.cells())[0], [
      '0',
      'hUSD',
      'Transfer(from: Flash lender, to: Arbitrageur, value: 2,000 hUSD)',
      'Show',
    ]);
    await page.getByRole('textbox', { name: /Filter/ }).fill('swap pool');
    await page.getByText('2 of 11').waitFor();
    await page.getByRole('checkbox', { name: 'Raw' }).check();
    assert.match((await inspector.cells())[0]![2]!, /^0x[0-9a-f]{4}…[0-9a-f]{4}\(topic 1: 0x/);
  });

  it('accepts the syntax of the call tree’s search, and shows an invalid term', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'events');
    const { page } = inspector;
    const filter = page.getByRole('textbox', { name: /Filter/ });
    const names = async (): Promise<string[]> =>
      (await inspector.cells()).map(
        ([, contract, line]) => `${contract!}.${/^\w+/.exec(line!)![0]}`,
      );
    await filter.fill('event:swap');
    await page.getByText('2 of 11').waitFor();
    assert.deepEqual(await names(), ['HBR/hUSD pool.Swap', 'HBR/hUSD side pool.Swap']);
    await filter.fill('from:side -event:sync');
    await page.getByText('1 of 11').waitFor();
    assert.deepEqual(await names(), ['HBR/hUSD side pool.Swap']);
    await filter.fill('fn:swap');
    await page.getByText('No event matches the filter.').waitFor();
    await filter.fill('evnt:swap');
    await page.getByText(/^evnt:swap: no such filter; there are from: /).waitFor();
    assert.equal(await filter.getAttribute('aria-invalid'), 'true');
    assert.equal((await names()).length, 11);
    const help = await filter.getAttribute('title');
    assert.match(help ?? '', /^Accepted: from: to: address: fn: event: /);
  });

  it('links to the call tree with Enter', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'events');
    const { page } = inspector;
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { selected: true, name: /^Event .*Transfer/ }).waitFor();
  });

  it('renders 50,000 logs with a few dozen elements', async () => {
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
    await page.getByRole('textbox', { name: /Filter/ }).fill('transfer');
    await page.getByText('49,999 of 49,999').waitFor();
  });
});

describe('inspector: state', () => {
  const inspectors = useInspectors();

  it('shows the state before and after by account, with names of variables', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'state');
    const { page } = inspector;
    await page.getByRole('textbox', { name: /Filter/ }).fill('carol');
    const cells = await inspector.cells();
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

  it('joins narrow frames beside each other, and zooms in on them', async () => {
    const parts = sandboxParts('flash-loan');
    const [top] = parts.gasProfile.frames;
    parts.gasProfile.frames = [
      { ...top!, gasUsed: 300_000 },
      ...Array.from({ length: 300 }, (_, at) => ({ ...top!, id: at + 1, depth: 1, gasUsed: 1000 })),
    ];
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    await inspector.tab('gas');
    const bars = inspector.page.locator('.bar');
    assert.deepEqual(await bars.allInnerTexts(), ['Arbitrageur.run', '300 calls']);
    assert.deepEqual(await inspector.accessibilityFaults('.panel'), []);
    await bars.last().click();
    assert.deepEqual(await bars.allInnerTexts(), ['Arbitrageur.run', 'Arbitrageur.run']);
  });

  it('shows frames as wide as their gas, zooms, and describes the selected frame', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'gas');
    const { page } = inspector;
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

  it('names frames as the call tree does', async () => {
    const inspector = await inspectors.showTab('exploit-reentrancy', 'gas');
    const { page } = inspector;
    await page.getByRole('textbox', { name: /Highlight/ }).fill('native transfer');
    await page.getByText('7 of 15').waitFor();
    const label = await page.locator('.bar:not(.faint)').first().getAttribute('aria-label');
    assert.match(label ?? '', /^native transfer to Mallory's thief, [\d,]+ gas$/);
    assert.deepEqual(
      (await inspector.cells()).map(([name = '', calls]) => [name.replace(/ 0x.*/, ''), calls]),
      [
        ["Mallory's thief", '7'],
        ['native transfer', '6'],
        ['mallory', '1'],
        ['native transfer', '1'],
      ],
    );
    const creation = await inspectors.showTab('create-contract', 'gas');
    assert.match(await creation.page.locator('.flame-note').innerText(), /^new PTS [\d,]+ gas/);
  });

  it('highlights matching frames, and filters the table', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'gas');
    const { page } = inspector;
    await page.getByRole('textbox', { name: /Highlight/ }).fill('swap');
    await page.getByText('2 of 20').waitFor();
    assert.equal(await page.locator('.bar:not(.faint)').count(), 2);
    const methods = (await inspector.cells()).map(([name = '']) => name.replace(/ 0x.*/, ''));
    assert.deepEqual(methods, ['HBR/hUSD pool', 'swap', 'HBR/hUSD side pool', 'swap']);
  });

  it('shows the parts of the gas used', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'gas');
    const { gasUsed, intrinsicGas, executionGas, refund } = sandboxParts('flash-loan').gasProfile;
    assert.equal(gasUsed, intrinsicGas! + executionGas! - refund!);
    const shown = (await page.locator('.gas-sums').innerText()).replaceAll(/\s+/g, ' ');
    const text = (gas: number | null): string => gas!.toLocaleString('en-US');
    assert.match(
      shown,
      new RegExp(
        `Used ${text(gasUsed)} of limit 1,000,000 Intrinsic ${text(intrinsicGas)} ` +
          `Execution ${text(executionGas)} Refund −${text(refund)} Call data floor`,
      ),
    );
  });

  it('leaves unknown gas empty, and states that it is unknown', async () => {
    const parts = sandboxParts('flash-loan');
    const { gasProfile } = parts;
    const [top, ...rest] = gasProfile.frames;
    const [first, ...others] = gasProfile.contracts;
    const unknown = { executionGas: null, refund: null, floorGas: null };
    parts.gasProfile = {
      ...gasProfile,
      ...unknown,
      frames: [{ ...top!, gasUsed: null, selfGas: null }, ...rest],
      contracts: [{ ...first!, selfGas: null, totalGas: null }, ...others],
    };
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    await inspector.tab('gas');
    const { page } = inspector;
    await page.getByText('The other parts of the gas used are not known.').waitFor();
    assert.equal(await page.locator('.gas-sums').getByText('Execution').count(), 0);
    const [row] = await inspector.cells();
    // Without the gas of all frames, there are no shares of it.
    assert.deepEqual(row?.slice(2), ['', '']);
    assert.match(
      (await page.locator('.bar').first().getAttribute('title')) ?? '',
      /\nGas is not known$/,
    );
    assert.match(await page.locator('.flame-note').innerText(), /Gas is not known/);
  });

  it('moves Tab to the buttons of the selected row only', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'gas');
    const row = (): Promise<string | undefined> =>
      page.evaluate(() => document.activeElement?.closest('.grid-row')?.id);
    await page.getByRole('grid').focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    const reached = new Set<string | undefined>();
    // Past the sortable column heads, and around again.
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      reached.add(await row());
    }
    assert.deepEqual(reached, new Set([undefined, 'gas-row-3']));
  });

  it('sums by contract and method, in the chosen order', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'gas');
    const { page } = inspector;
    const first = await inspector.cells();
    assert.deepEqual(first[0], ['hUSD 0xcf7e…0fc9', '11', '80,886', '56.4 %', '80,886']);
    assert.deepEqual(first[1], ['transfer', '5', '75,790', '52.9 %', '75,790']);
    await page.getByRole('button', { name: 'Calls' }).click();
    await page.getByRole('button', { name: 'Calls' }).click();
    assert.equal((await inspector.cells())[0]![1], '1');
  });
});
