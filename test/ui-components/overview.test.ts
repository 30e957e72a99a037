import assert from 'node:assert/strict';
import type { ForkOrigin } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, partMessages, sandboxParts } from './fixtures';
import { partyRows } from './party-cells';
import { useInspectors } from './use-inspectors';

const CAROL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

describe('inspector: overview', () => {
  const inspectors = useInspectors();

  it('says what happened and who gained, with links to the call tree and the balance changes', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'overview');
    assert.equal(
      await page.getByRole('heading', { level: 1 }).innerText(),
      'carol gained 69.975445 hUSD by a flash loan and two swaps.',
    );
    assert.deepEqual(await page.locator('.story li').allInnerTexts(), [
      'Flash loan: Arbitrageur borrowed 2,000 hUSD from Flash lender and gave it back step 1, step 2, step 3',
    ]);
    assert.equal(await page.locator('.highlights li').count(), 0);
    assert.deepEqual(await partyRows(page), [
      ['carol sender', '+69.975445', 'hUSD', '+$69.98'],
      ['HBR/hUSD pool', '+2,000', 'hUSD', '+$2,000.00'],
      ['−999.387879…', 'HBR', '−$1,998.78'],
      ['HBR/hUSD side pool', '+999.387879…', 'HBR', '+$1,998.78'],
      ['−2,071.775445', 'hUSD', '−$2,071.78'],
    ]);
    await page.getByRole('button', { name: 'All balance changes, of 1 more account' }).click();
    await page.locator('#panel-balances').waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'step 1' }).click();
    const selected = page.locator('[role=treeitem][aria-selected=true]');
    assert.equal(await selected.getAttribute('data-index'), '4');
  });

  it('lists the highlights of an analysis without a summary', async () => {
    const parts = sandboxParts('flash-loan');
    delete parts.flow.summary;
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    const { page } = inspector;
    assert.equal(await page.locator('.story li').count(), 0);
    assert.equal(
      await page.locator('.highlights li').last().innerText(),
      'Arbitrageur borrowed 2,000 hUSD from Flash lender and gave it back',
    );
  });

  it('leads with what was tried, why it failed, and what is proved', async () => {
    const parts = sandboxParts('approve');
    const token = parts.flow.transaction.to!;
    const amount = (rawAmount: string, text: string) => ({
      asset: token,
      standard: 'erc20' as const,
      rawAmount,
      amount: text,
      symbol: 'HBR',
      decimals: 18,
    });
    const [clause] = parts.flow.summary!.clauses;
    parts.flow.status = false;
    parts.flow.summary = {
      ...parts.flow.summary!,
      clauses: [{ ...clause!, kind: 'sent', gave: [amount('5', '5')] }],
      failure: {
        chain: [
          { nodeId: 0, contract: token, method: 'transfer', reason: 'Token: balance too low' },
        ],
        omitted: 0,
        causes: [
          {
            kind: 'balance',
            nodeId: 0,
            contract: token,
            account: CAROL,
            has: amount('3', '3'),
            needs: amount('5', '5'),
            missing: amount('2', '2'),
            proof: 'read',
          },
        ],
      },
    };
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    assert.equal(
      await inspector.page.getByRole('heading', { level: 1 }).innerText(),
      'alice tried to send 5 HBR to Router, and failed.',
    );
    assert.deepEqual(await inspector.page.locator('.story li').allInnerTexts(), [
      'carol had 3 HBR, but 5 HBR was needed: 2 HBR is missing. Proved: read from the state before the transaction',
      'HBR.transfer failed: Token: balance too low',
    ]);
  });

  it('shows the condition of the source with its values in units, asked for once the line is known', async () => {
    const parts = sandboxParts('approve');
    const [nodeId, contract] = [0, parts.flow.transaction.to!];
    const [row] = parts.flow.rows;
    const amount = row?.nodeType === 0 && row.invocation.decodedMethod?.callParams[1];
    assert.ok(amount);
    amount.readings = [{ path: '', asset: contract, symbol: 'HBR', amount: '1000' }];
    parts.flow.status = false;
    parts.flow.summary = {
      ...parts.flow.summary!,
      failure: {
        chain: [{ nodeId, contract, method: 'approve', reason: 'too much' }],
        omitted: 0,
        causes: [],
      },
    };
    const inspector = await inspectors.open();
    const { page } = inspector;
    await inspector.post(...messagesOfParts(parts));
    const asked = async (): Promise<number> =>
      (await inspector.sent()).filter(
        (message) => message.type === 'load' && message.part === 'failedConditions',
      ).length;
    assert.equal(await asked(), 0);
    const place = { file: 'Token.sol', startLine: 9, startColumn: 1, endLine: 9, endColumn: 9 };
    const locations = [{ nodeId, contract: 'Token', failure: place }];
    await inspector.post(
      ...partMessages('sourceLocations', { status: false, locations, changed: [], contracts: [] }),
    );
    await page.getByText('Looking for the condition').waitFor();
    assert.equal(await asked(), 1);
    const operand = (name: string, value: string) => ({ name, value, type: 'uint256' });
    await inspector.post(
      ...partMessages('failedConditions', {
        conditions: [
          {
            nodeId,
            kind: 'require',
            text: 'left >= value && !paused',
            isTrue: false,
            place,
            parts: [
              {
                text: 'left >= value',
                isTrue: false,
                relation: '<',
                operands: [
                  operand('left', '3200000000000000000'),
                  operand('value', '1000000000000000000000'),
                ],
              },
              {
                text: 'allowed[owner]',
                isTrue: false,
                operands: [{ name: 'owner', value: CAROL, type: 'address' }],
              },
            ],
          },
        ],
      }),
    );
    const line = page.locator('.story li', { hasText: 'require' });
    assert.equal(
      await line.innerText(),
      'require(left >= value && !paused): left 3.2 HBR < value 1,000 HBR; allowed[owner] is false (owner: carol) Token.sol:9',
    );
    assert.deepEqual(inspector.problems, []);
  });

  it('opens the neighbours of a sandwich, and shows tokens whose decimals are disputed', async () => {
    const parts = sandboxParts('approve');
    const token = parts.flow.transaction.to!;
    const hashes = [1, 2].map((digit) => `0x${String(digit).repeat(64)}`);
    const transactions = hashes.map((hash, index) => ({ hash, position: 4 + 2 * index }));
    const about = { contract: token, amounts: [], nodeIds: [0] };
    parts.flow.summary!.findings = [
      { ...about, kind: 'sandwiched', account: CAROL, transactions },
      { ...about, kind: 'decimalsDisputed', decimals: { own: 6, listed: 18 } },
    ];
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(parts));
    const lines = await inspector.page.locator('.story li').allInnerTexts();
    assert.deepEqual(lines.slice(-2), [
      'Sandwich: carol traded with HBR before and after, and sold what it had bought step 1, transaction 4 of the block, transaction 6 of the block',
      'Disputed decimals: HBR answers 6, a list of well-known tokens says 18. Its amounts are shown in the smallest unit step 1',
    ]);
    await inspector.page.getByRole('button', { name: 'transaction 6 of the block' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), {
      type: 'openTransaction',
      transaction: hashes[1],
    });
  });

  it('shows approvals, and facts of some kinds of transactions only', async () => {
    const approve = await inspectors.showTab('approve', 'overview');
    assert.equal(
      await approve.page.getByRole('heading', { level: 1 }).innerText(),
      'alice lets Router spend 1,000 HBR.',
    );
    const batch = await inspectors.showTab('eip7702-batch', 'overview');
    await batch.page.getByText('Transaction', { exact: true }).click();
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
        versionedHashes: [`0x01${'a'.repeat(62)}`],
        maxFeePerGas: '5000',
        gasUsed: null,
        gasPrice: '',
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
    name: 'my fork',
    chain: 'eth',
    blockNumber,
    position: null,
  });

  it('offers the actions of the host', async () => {
    const inspector = await inspectors.showTab('approve', 'overview');
    await inspector.page.getByRole('button', { name: 'Fork Before' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), {
      type: 'run',
      action: 'forkBeforeTransaction',
    });
    await inspector.post({
      type: 'hostContext',
      hostContext: { hasExplorer: false, fork: forkAt(0), actions: [] },
    });
    assert.equal(await inspector.page.getByRole('button', { name: 'Fork Before' }).count(), 0);
    const where = inspector.page.locator('.where');
    assert.match(await where.innerText(), /^approve·on my fork sandbox/);
    const { blockNumber } = sandboxParts('approve').flow.transaction;
    await inspector.post({
      type: 'hostContext',
      hostContext: { hasExplorer: false, fork: forkAt(blockNumber), actions: [] },
    });
    assert.match(await where.innerText(), /^approve·on eth, seen from fork my fork/);
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
    await page.locator(`.party-table [data-address="${CAROL}"]`).hover();
    assert.equal(await marked(), 4);
    await page.locator('#overview-proof').hover();
    assert.equal(await marked(), 0);
  });

  it('gives each address one mark in every view, and none in high contrast', async () => {
    const tabs = ['overview', 'calls', 'balances', 'fundFlow', 'events', 'gas'] as const;
    const inspector = await inspectors.showTab('flash-loan', 'overview');
    const marks = new Map<string, Set<string>>();
    for (const tab of tabs) {
      await inspector.tab(tab);
      const shown = await inspector.page
        .locator('[data-address]')
        .evaluateAll((all) =>
          (all as HTMLElement[]).map(({ dataset }) => [
            dataset['address']!,
            `${dataset['hue']!} ${dataset['shape']!}`,
          ]),
        );
      assert.ok(shown.length > 1, tab);
      for (const [address = '', mark = ''] of shown) {
        marks.set(address, (marks.get(address) ?? new Set()).add(mark));
      }
    }
    for (const [address, kinds] of marks) assert.equal(kinds.size, 1, address);
    // No two addresses look alike.
    assert.equal(new Set([...marks.values()].flatMap((kinds) => [...kinds])).size, marks.size);

    const markOf = ({ page }: typeof inspector): Promise<string> =>
      page
        .locator('.row .address[data-hue]')
        .first()
        .evaluate((element) => getComputedStyle(element, '::before').display);
    await inspector.tab('calls');
    assert.equal(await markOf(inspector), 'inline-block');
    const plain = await inspectors.showTab('flash-loan', 'calls', { theme: 'hc-dark' });
    assert.equal(await markOf(plain), 'none');
  });
});
