import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pico from 'picocolors';
import type { AnalysisService } from '../../server/analysis/views/analysis-service';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import { renderBalances } from '../../server/agents/render-balances';
import { renderCallTree, writingFor } from '../../server/agents/render-call-tree';
import { renderSummary } from '../../server/agents/render-summary';
import { namesOf } from '../../server/presentation/segment';
import type { StoryEntry } from '../../server/chains/sandbox/plan';
import type { Sandbox } from '../../server/chains/sandbox/sandbox';
import { SANDBOX_FIXTURES, startTestSandbox, UPDATE_GOLDENS } from '../support/sandbox';
import { analysisOf } from '../support/sandbox-analysis';

/** Complete answers are kept for these. For all, a text that can be compared with the Solidity source. */
const KEPT_IN_FULL = new Set([
  'unwrap-ether',
  'fallback-with-data',
  'mint-bytes32-symbol',
  'proxy-mint',
  'erc1155-transfer-batch',
  'create2',
  'create-fails',
  'self-destruct',
  'custom-error-three-deep',
  'caught-revert',
]);
const MAX_ROWS = 40;

interface Analysis {
  flow: InvocationFlow;
  balances: BalanceChange;
}

describe('the analyses of the sandbox', () => {
  let sandbox: Sandbox;
  let analysis: AnalysisService;
  before(async () => {
    sandbox = await startTestSandbox();
    analysis = analysisOf(sandbox);
  });
  after(() => sandbox.stop());

  const analyze = async ({ hash }: StoryEntry): Promise<Analysis> => ({
    flow: await analysis.invocationFlow({ chain: 'sandbox', hash }),
    balances: await analysis.balanceChange({ chain: 'sandbox', hash }),
  });

  it('equal the goldens', async () => {
    for (const entry of sandbox.story) {
      const found = await analyze(entry);
      await compare(`${entry.id}.txt`, asText(entry, found, sandbox.labels));
      if (KEPT_IN_FULL.has(entry.id)) {
        await compare(`${entry.id}.json`, `${JSON.stringify(found, null, 1)}\n`);
      }
    }
  });

  it('have a golden for each transaction and no others', async () => {
    const texts = (await readdir(SANDBOX_FIXTURES)).filter((file) => file.endsWith('.txt'));
    assert.deepEqual(texts.sort(), sandbox.story.map(({ id }) => `${id}.txt`).sort());
  });

  it('have engine traces that equal the receipts', async () => {
    for (const entry of sandbox.story) {
      const { flow, balances } = await analyze(entry);
      const proved = {
        level: 'state-proved',
        method: 'debug',
        executor: 'node',
        faithful: true,
      };
      assert.deepEqual(flow.verification, proved, entry.id);
      assert.equal(flow.status, !entry.fails, entry.id);
      assert.equal(balances.status, !entry.fails, entry.id);
    }
  });
});

async function compare(file: string, text: string): Promise<void> {
  const path = join(SANDBOX_FIXTURES, file);
  if (UPDATE_GOLDENS) await writeFile(path, text);
  assert.equal(text, await readFile(path, 'utf8'), file);
}

function asText(
  { id, title, shows }: StoryEntry,
  { flow, balances }: Analysis,
  labels: Sandbox['labels'],
): string {
  const named = { ...flow, labels: { ...flow.labels, ...labels } };
  const { transaction } = flow;
  const colors = pico.createColors(false);
  const writing = writingFor(false);
  const naming = { names: namesOf(named.labels), nativeSymbol: transaction.nativeSymbol };
  const { status } = flow;
  return [
    `${id}: ${title}`,
    shows,
    `block ${transaction.blockNumber}:${transaction.position}, type ${transaction.type}, ${flow.status ? 'succeeded' : 'failed'}`,
    '',
    ...(flow.summary ? [renderSummary(flow.summary, { colors, naming, writing, status }), ''] : []),
    renderCallTree(named, { colors, maxRows: MAX_ROWS }),
    '',
    renderBalances(balances, { colors, naming, writing }),
    '',
  ].join('\n');
}
