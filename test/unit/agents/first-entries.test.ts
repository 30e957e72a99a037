import assert from 'node:assert/strict';
import { NATIVE_ASSET } from '../../../server/api/explorer';
import { json } from '../../../server/agents/agent-tool';
import { writingFor } from '../../../server/agents/render-call-tree';
import { renderBalances } from '../../../server/agents/render-balances';
import { tableLines } from '../../../server/cli/output/format-table';
import pico from 'picocolors';

const MANY = 130_000;

describe('texts of answers that are too long', () => {
  it('are JSON for a model with the number of omitted entries of each list and object', () => {
    const list = Array.from({ length: MANY }, (_, index) => ({ index }));
    const labels = Object.fromEntries(list.map(({ index }) => [`a${index}`, 'x']));
    const text = json({ status: true, list, labels });
    const cut = JSON.parse(text) as { list: unknown[]; labels: Record<string, string> };
    assert.deepEqual(
      [cut.list.length, cut.list[299], cut.list[300]],
      [301, { index: 299 }, '… and 129700 more'],
    );
    assert.equal(Object.keys(cut.labels).length, 301);
    assert.equal(cut.labels['…'], '… and 129700 more');
  });

  it('are JSON for a model with a bound for all lists together', () => {
    const nested = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'x'));
    const text = json({ nested });
    assert.ok(text.length < 200_000, `${text.length} characters`);
    assert.match(text, /… and 300 more/);
  });

  it('leave short answers as they are', () => {
    const value = { a: [1, { b: [] }], c: null, d: {} };
    assert.deepEqual(JSON.parse(json(value)), value);
  });

  it('are balance changes with the number of omitted ones', () => {
    const balanceChange = Array.from({ length: MANY }, (_, index) => ({
      account: `0x${index.toString(16).padStart(40, '0')}` as const,
      assets: [
        {
          address: NATIVE_ASSET,
          amount: '1',
          rawAmount: '1',
          value: '',
          sign: true,
          isERC721: false,
          isERC1155: false,
          verified: true,
        },
      ],
    }));
    const text = renderBalances(
      { balanceChange },
      {
        colors: pico.createColors(false),
        naming: { names: () => undefined, nativeSymbol: 'ETH' },
        writing: writingFor(false),
        maxRows: 3,
      },
    );
    const lines = text.split('\n');
    assert.equal(lines.length, 5);
    assert.equal(lines[4], '… and 129997 more balance changes');
  });

  it('are tables with any number of rows', () => {
    const rows = Array.from({ length: MANY }, (_, index) => [String(index)]);
    const text = Array.from(tableLines({ columns: ['N'], rows })).join('\n');
    assert.ok(text.endsWith('\n129999'));
  });
});
