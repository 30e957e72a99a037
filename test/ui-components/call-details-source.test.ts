import assert from 'node:assert/strict';
import { nodeId } from '../../media/inspector/model/tree-model';
import type { Parts } from '../../media/inspector/protocol/protocol';
import type { SourcePlace } from '../../server/api/source-locations';
import { messagesOfParts, sandboxParts } from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const parts = sandboxParts('exploit-reentrancy');
const [top, first, , second, third] = parts.flow.rows.map(nodeId) as [
  ...[number, number, number, number, number],
];
const address = `0x${'ab'.repeat(20)}`;
const declaration: SourcePlace = {
  file: 'src/Vault.sol',
  startLine: 5,
  startColumn: 1,
  endLine: 5,
  endColumn: 15,
  from: 'sourcify',
  address,
};
const lines = 'the source of the code has no source map: verify it on Sourcify';
const nothing = 'no source is known for the code: compile it in the workspace';

const sourceLocations: Parts['sourceLocations'] = {
  status: true,
  locations: [],
  changed: [],
  contracts: [],
  sources: [
    {
      address,
      isCreation: false,
      calls: [top],
      contract: 'Vault',
      from: 'sourcify',
      hasMap: true,
      declaration,
    },
    {
      address,
      isCreation: false,
      calls: [first],
      contract: 'Vault',
      from: 'etherscan',
      hasMap: false,
      reason: lines,
      declaration: { ...declaration, from: 'etherscan' },
    },
    {
      address,
      isCreation: false,
      calls: [second],
      contract: 'Vault',
      from: 'workspace',
      hasMap: true,
    },
  ],
  unknown: [{ address, isCreation: false, calls: [third], reason: nothing }],
};

describe('inspector: source of a call', () => {
  const inspectors = useInspectors();

  /** The call tree with details, and the field of the source for a row. */
  async function details(
    known: Partial<Parts>,
  ): Promise<{ inspector: InspectorPage; source: (index: number) => Promise<string[]> }> {
    const inspector = await inspectors.open();
    const { page } = inspector;
    await inspector.post(...messagesOfParts({ ...parts, ...known }));
    await inspector.tab('calls');
    await page.locator('[role=tree]').focus();
    await page.keyboard.press('d');
    const source = async (index: number): Promise<string[]> => {
      await page.locator(`.row[role=treeitem][data-index="${index}"]`).click();
      return page.locator('.details dt:text-is("Source") + dd').allInnerTexts();
    };
    return { inspector, source };
  }

  it('says whether it is known, with lines or as text alone, or what to do', async () => {
    const { inspector, source } = await details({ sourceLocations });
    assert.deepEqual(await source(0), ['src/Vault.sol:5 (verified on Sourcify)']);
    assert.deepEqual(await source(1), [`src/Vault.sol:5 (verified on Etherscan)\n${lines}`]);
    assert.deepEqual(await source(3), [
      'known, but its files are no longer what was compiled (of the workspace)',
    ]);
    assert.deepEqual(await source(4), [nothing]);
    assert.deepEqual(await inspector.accessibilityFaults('.details'), []);
  });

  it('opens', async () => {
    const { inspector, source } = await details({ sourceLocations });
    await source(1);
    await inspector.page.locator('.details').getByTitle('Open the source').click();
    await inspector.page.locator('[role=tree]').focus();
    await inspector.page.keyboard.press('Enter');
    const place = { ...declaration, from: 'etherscan' };
    assert.deepEqual(
      (await inspector.sent()).filter(({ type }) => type === 'openSource'),
      [
        { type: 'openSource', place },
        { type: 'openSource', place },
      ],
    );
  });

  it('is left out where the service says nothing', async () => {
    const { sources, unknown, ...older } = sourceLocations;
    assert.ok(sources && unknown);
    const { source } = await details({ sourceLocations: older });
    assert.deepEqual(await source(0), []);
  });
});
