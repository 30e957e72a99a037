import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axeCore from 'axe-core';
import { addressHtml } from '../../extension/address-page/address-html';
import type { AddressState } from '../../extension/address-page/address-state';
import { sharedBrowser } from './shared-browser';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const themes = JSON.parse(
  readFileSync(path.resolve(__dirname, '../fixtures/inspector/themes.json'), 'utf8'),
) as Record<string, { bodyClass: string; variables: Record<string, string> }>;
const SHOP = `0x${'b0'.repeat(20)}` as const;
const ALICE = `0x${'a1'.repeat(20)}` as const;

const loaded: AddressState = {
  chain: 'eth',
  address: SHOP,
  explorer: 'https://explorer.test',
  facts: {
    value: {
      address: SHOP,
      chain: 'eth',
      blockNumber: 12,
      kind: 'contract',
      name: 'Shop',
      balance: '1.5',
      nativeSymbol: 'ETH',
      nonce: 1,
      codeSize: 100,
      token: { symbol: 'SHP', decimals: 6, source: 'chain' },
    },
  },
  balances: {
    value: {
      address: SHOP,
      chain: 'eth',
      blockNumber: 12,
      asked: 3,
      unanswered: 1,
      balances: [
        { token: ALICE, symbol: 'USDC', decimals: 6, rawAmount: '1500000', amount: '1.5' },
      ],
    },
  },
  source: { problem: 'The source could not be read' },
  transactions: {
    value: {
      isIndexed: true,
      nativeSymbol: 'ETH',
      labels: {},
      next: 3,
      transactions: [
        {
          hash: `0x${'1'.repeat(64)}`,
          position: 0,
          from: ALICE,
          to: SHOP,
          created: null,
          value: '2',
          selector: '',
          method: 'buy',
          status: false,
          gasUsed: 1,
          blockNumber: 3,
        },
      ],
    },
  },
  recent: [{ title: 'buy', chain: 'eth', transaction: `0x${'1'.repeat(64)}` }],
};
const loading: AddressState = {
  chain: 'eth',
  address: SHOP,
  recent: [],
  facts: undefined,
  source: undefined,
  transactions: undefined,
  balances: undefined,
};

describe('the page of an address', () => {
  before(async function () {
    this.timeout(60_000);
    await sharedBrowser();
  });

  for (const [theme, { bodyClass, variables }] of Object.entries(themes)) {
    it(`has no findings of axe in ${theme}, and fits 400 pixels`, async () => {
      const page = await (await sharedBrowser()).newPage({ viewport: { width: 400, height: 600 } });
      for (const state of [loaded, loading]) {
        // The check needs a script, which the document's own policy does not allow.
        await page.setContent(addressHtml(state, 'n').replace(/<meta http-equiv[^>]*>/, ''));
        await page.evaluate(
          ({ classes, values }) => {
            document.body.className = classes;
            for (const [name, value] of Object.entries(values)) {
              document.documentElement.style.setProperty(name, value);
            }
          },
          { classes: bodyClass, values: variables },
        );
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: typeof axeCore }).axe.run(),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          [],
        );
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 400, `${width}`);
      }
      await page.close();
    });
  }
});
