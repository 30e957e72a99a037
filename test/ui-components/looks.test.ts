import assert from 'node:assert/strict';
import { TABS, type FlowRow } from '../../media/inspector/protocol/protocol';
import { fixture, messagesOfParts, sandboxParts, sourceOf } from './fixtures';
import { hasNoFault, layoutFaults, LOOKS } from './layout';
import { useInspectors } from './use-inspectors';

const source = sourceOf(fixture('swap').flow);

/** A complete analysis with this text in every field that others can control. */
function hostileParts(text: string): ReturnType<typeof sandboxParts> {
  const parts = sandboxParts('flash-loan');
  const { flow, balanceChange, fundFlow, stateDiff, gasProfile } = parts;
  const labels = Object.fromEntries(Object.keys(flow.labels).map((key) => [key, text]));
  const param = { name: text, type: 'string', value: text };
  return {
    flow: {
      ...flow,
      labels,
      status: false,
      verification: { level: 'none', method: 'replay', faithful: false, firstDifference: text },
      transaction: {
        ...flow.transaction,
        nativeSymbol: text,
        chain: text,
        extra: { [text]: text },
      },
      rows: flow.rows.map((row): FlowRow => {
        if (row.nodeType === 1) {
          const decodedLog = { name: text, signature: text, params: [param] };
          return { ...row, event: { ...row.event, decodedLog } };
        }
        const decodedMethod = {
          name: text,
          signature: text,
          constructorArguments: '',
          callParams: [param],
          returnParams: [param],
        };
        const failure = { status: false, revert: true, revertMessage: text, errorInfo: text };
        return { ...row, invocation: { ...row.invocation, decodedMethod, ...failure } };
      }),
    },
    balanceChange: {
      ...balanceChange,
      balanceChange: balanceChange.balanceChange.map(({ account, assets }) => ({
        account,
        assets: assets.map((asset) => ({
          ...asset,
          symbol: text,
          price: { value: '1', source: text, time: 0 },
        })),
      })),
    },
    fundFlow: {
      ...fundFlow,
      labels,
      fundFlow: fundFlow.fundFlow.map((transfer) => ({ ...transfer, symbol: text })),
    },
    stateDiff: {
      ...stateDiff,
      labels,
      accounts: stateDiff.accounts.map((account) => ({
        ...account,
        storage: account.storage.map((slot) => ({
          ...slot,
          variables: [{ name: text, type: 'string', before: text, after: text }],
        })),
      })),
    },
    gasProfile: {
      ...gasProfile,
      labels,
      frames: gasProfile.frames.map((frame) => ({ ...frame, method: text })),
      contracts: gasProfile.contracts.map((contract) => ({
        ...contract,
        methods: contract.methods.map((method) => ({ ...method, method: text })),
      })),
    },
  };
}

describe('inspector: untrusted text', () => {
  const inspectors = useInspectors();

  const hostile = '<img src=x onerror="document.title=1">\u202eEVIL\u0000';

  it('is escaped and folded in every view', async () => {
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts(hostileParts(hostile + 'x'.repeat(40_000))));
    const { page } = inspector;
    for (const tab of TABS) {
      await inspector.tab(tab);
      if (tab === 'calls') {
        await page.getByRole('tree').focus();
        await page.keyboard.press('Enter');
      }
      const shown = await page.evaluate(() => {
        const attributes = [...document.querySelectorAll('*')].flatMap((element) => [
          element.getAttribute('title') ?? '',
          element.getAttribute('aria-label') ?? '',
        ]);
        return { text: document.body.textContent, attributes };
      });
      assert.ok(shown.text.includes('<img src=x onerror='), tab);
      for (const text of [shown.text, ...shown.attributes]) {
        assert.equal(/[\u202e\0]/.test(text), false, `${tab}: ${text.slice(0, 200)}`);
      }
      assert.ok(shown.text.length < 60_000, `${tab}: ${shown.text.length}`);
      assert.ok(Math.max(...shown.attributes.map(({ length }) => length)) < 5_000, tab);
      assert.equal(await page.locator('img').count(), 0);
    }
    assert.equal(await page.title(), 'Transaction inspector');
  });

  it('with a megabyte in each field does not block any view', async () => {
    const inspector = await inspectors.open();
    const long = hostile + 'x'.repeat(1_000_000);
    const parts = sandboxParts('caught-revert');
    const [address = ''] = Object.keys(parts.flow.labels);
    parts.flow.labels = { ...parts.flow.labels, [address]: long };
    parts.flow.transaction = { ...parts.flow.transaction, to: address, nativeSymbol: long };
    await inspector.post(...messagesOfParts(parts));
    for (const tab of TABS) await inspector.tab(tab);
    assert.ok((await inspector.page.locator('body').innerText()).length < 20_000);
  });
});

describe('inspector: layout', () => {
  const inspectors = useInspectors();

  for (const look of LOOKS.filter(({ isLong }) => !isLong)) hasNoFault(inspectors, look);

  it('has no fault while it loads and after a failure', async () => {
    const inspector = await inspectors.open({ width: 400 });
    await inspector.post({ type: 'open', source });
    assert.deepEqual(await layoutFaults(inspector), []);
    const failure = { code: 50201, message: `the node at this height ${'lacks '.repeat(80)}` };
    await inspector.post({ type: 'failed', part: 'flow', failure });
    assert.deepEqual(await layoutFaults(inspector), []);
  });
});
