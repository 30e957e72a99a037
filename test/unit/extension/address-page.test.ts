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
const BALANCES = {
  address: SHOP,
  chain: 'eth',
  blockNumber: 1235,
  balances: [
    { token: ALICE, symbol: '<i>USD', decimals: 6, rawAmount: '1500000000', amount: '1500' },
    { token: ALICE, symbol: 'PASS', rawAmount: '3', amount: '' },
  ],
  asked: 4,
  unanswered: 1,
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
    getTokenBalances: () => BALANCES,
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
    assert.equal(html().match(/role="status"/g)?.length, 3);
  });

  it('shows facts, source, transactions and what was opened lately', async () => {
    const { page, html } = open();
    await page.load();
    const text = textOf(html());
    for (const part of [
      'Kind Contract Balance 1,234.5 ETH Nonce 7 Code 2,048 bytes Token SHP with 6 decimals',
      'Contract Proxy, 1 files, from sourcify Runs the code of',
      'Token balances Token Balance &lt;i&gt;USD 1,500 PASS 3 raw units As of block 1,235. Asked: 4 contracts',
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

  it('asks for balances of the contracts that its transactions called, and says that none was found', async () => {
    const queries: Record<string, string>[] = [];
    const { page, html } = open({
      listAddressTransactions: () => ({
        ...LISTED,
        transactions: [
          transaction(1, 30),
          { ...transaction(2, 20), to: ALICE },
          { ...transaction(3, 10), to: null, created: `0x${'c0'.repeat(20)}` },
        ],
        next: null,
      }),
      getTokenBalances: (query) => {
        queries.push(query);
        return { ...BALANCES, balances: [] };
      },
    });
    await page.load();
    assert.deepEqual(queries, [{ tokens: `${ALICE},0x${'c0'.repeat(20)}` }]);
    assert.ok(textOf(html()).includes('No balance was found As of block 1,235.'));
  });

  it('asks for balances of known tokens where it has no transactions, and says why they are not there', async () => {
    const queries: Record<string, string>[] = [];
    const { page, html } = open({
      listAddressTransactions: () => {
        throw new ApiError('upstreamUnreachable', 'no transactions');
      },
      getTokenBalances: (query) => {
        queries.push(query);
        throw new ApiError('upstreamUnreachable', 'no balances');
      },
    });
    await page.load();
    assert.deepEqual(queries, [{}]);
    assert.match(html(), /role="alert">[^<]*no balances/i);
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
