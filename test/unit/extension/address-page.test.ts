import assert from 'node:assert/strict';
import { addressHtml } from '../../../extension/address-page/address-html';
import { AddressPage } from '../../../extension/address-page/address-page';
import type { ApiClient } from '../../../extension/model/api-client';
import type { RecentEntry } from '../../../extension/model/recent';
import { ApiError } from '../../../server/api/errors';
import type { Address } from '../../../server/api/primitives';

const SHOP: Address = `0x${'b0'.repeat(20)}`;
const ALICE: Address = `0x${'a1'.repeat(20)}`;
const hash = (digit: number): string => `0x${String(digit).repeat(64)}`;

const FACTS = {
  address: SHOP,
  chain: 'eth',
  blockNumber: 1234,
  kind: 'contract',
  name: '<b>Shop</b>',
  balance: '1234.5',
  nativeSymbol: 'ETH',
  nonce: 7,
  codeSize: 2048,
  token: { symbol: 'SHP', decimals: 6, source: 'chain' },
};
const transaction = (digit: number, blockNumber: number) => ({
  hash: hash(digit),
  position: 0,
  from: ALICE,
  to: SHOP,
  created: null,
  value: '2',
  selector: '0xa9059cbb',
  method: 'transfer',
  status: digit !== 2,
  gasUsed: 1,
  blockNumber,
});
const SOURCE = {
  address: SHOP,
  codeHash: hash(0),
  blockNumber: 1234,
  source: { name: 'Proxy', files: [{}], from: 'sourcify' },
  implementation: { address: ALICE, codeHash: hash(0), source: null },
};
const LISTED = { isIndexed: true, nativeSymbol: 'ETH', labels: { [ALICE]: 'alice' } };
const pages: Record<string, unknown> = {
  first: { ...LISTED, transactions: [transaction(1, 30), transaction(2, 20)], next: 20 },
  20: { ...LISTED, transactions: [transaction(3, 10)], next: null },
};
const RECENT: RecentEntry[] = [1, 9].map((digit) => ({
  subject: { kind: 'transaction', chain: 'eth', transaction: hash(digit) },
  title: `opened ${digit}`,
  time: 1,
}));

type Answers = Record<string, (query: Record<string, string>) => unknown>;

function open(more: Answers = {}): { page: AddressPage; asked: string[]; html: () => string } {
  const asked: string[] = [];
  const answers: Answers = {
    getAddress: () => FACTS,
    getAddressSource: () => SOURCE,
    listChains: () => [{ slug: 'eth', blockExplorerUrl: 'https://explorer.test/' }],
    listAddressTransactions: ({ before = 'first' }) => pages[before],
    ...more,
  };
  const client = {
    call: async (name: string, request: { query?: Record<string, string> }) => {
      asked.push(name);
      await Promise.resolve();
      return answers[name]!(request.query ?? {});
    },
  } as unknown as ApiClient;
  const page = new AddressPage(
    client,
    'eth',
    SHOP,
    () => RECENT,
    () => undefined,
  );
  return { page, asked, html: () => addressHtml(page.state, 'nonce') };
}

/** Text of a document. */
const textOf = (html: string): string =>
  html
    .replace(/<style.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of an address', () => {
  it('shows that its parts are loading', () => {
    const { html } = open();
    assert.equal(html().match(/role="status"/g)?.length, 2);
  });

  it('shows facts, source, transactions and what was opened lately', async () => {
    const { page, html } = open();
    await page.load();
    const text = textOf(html());
    for (const part of [
      'Kind Contract Balance 1,234.5 ETH Nonce 7 Code 2,048 bytes Token SHP with 6 decimals',
      'Contract Proxy, 1 files, from sourcify Runs the code of',
      'transfer 30 alice',
      '2 ETH reverted',
      'Recently opened opened 1',
    ]) {
      assert.ok(text.includes(part), `${part} is not in: ${text}`);
    }
    assert.ok(!text.includes('opened 9'));
    assert.ok(html().includes('href="https://explorer.test/address/'));
  });

  it('keeps names of the chain inert, and has no scripts', async () => {
    const { page, html } = open();
    await page.load();
    assert.ok(html().includes('&lt;b&gt;Shop&lt;/b&gt;'));
    assert.ok(!html().includes('<script') && !html().includes('<b>'));
  });

  it('loads older transactions until none is left', async () => {
    const { page, html } = open();
    await page.load();
    assert.ok(html().includes('command:forklens.loadMoreOfAddress'));
    await page.loadMore();
    assert.ok(textOf(html()).includes('transfer 10 alice'));
    assert.ok(!html().includes('command:forklens.loadMoreOfAddress'));
  });

  it('asks for no source of an account without code', async () => {
    const { page, asked } = open({ getAddress: () => ({ ...FACTS, codeSize: 0 }) });
    await page.load();
    assert.ok(!asked.includes('getAddressSource'));
  });

  it('says of each part why it is not there, and that a node has no index', async () => {
    const fail = (): never => {
      throw new ApiError('upstreamUnreachable', 'the node of eth does not answer');
    };
    const { page, html } = open({ getAddress: fail });
    await page.load();
    assert.match(html(), /role="alert">[^<]*the node of eth does not answer/i);
    assert.ok(textOf(html()).includes('transfer 30 alice'));
    const none = { ...LISTED, isIndexed: false, transactions: [], next: null };
    const without = open({ listAddressTransactions: () => none });
    await without.page.load();
    assert.ok(textOf(without.html()).includes('The node has no index of transactions by address.'));
  });
});
