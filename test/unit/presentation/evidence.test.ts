import assert from 'node:assert/strict';
import {
  balancesTable as exportedBalances,
  transfersTable,
} from '../../../media/inspector/export/tables';
import { report } from '../../../media/inspector/export/report';
import { PLAIN_TEXT } from '../../../server/agents/agent-tool';
import { renderBalances } from '../../../server/agents/render-balances';
import { writingFor } from '../../../server/agents/render-call-tree';
import type { AssetChange, BalanceChange } from '../../../server/api/explorer';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import type { FundTransfer } from '../../../server/api/views';
import { balancesTable, flowTable } from '../../../server/cli/command-handlers/view-tables';
import { evidenceTitle, isRaw, shownNet } from '../../../server/presentation/change-evidence';
import {
  markedTransfer,
  measuredText,
  transferMark,
  transferProofText,
} from '../../../server/presentation/transfer-evidence';
import { flowOf } from '../../ui-components/fixtures';

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b2'.repeat(20)}`;
const TOKEN = `0x${'c3'.repeat(20)}`;
const names = (): undefined => undefined;

const asset = (facts: Partial<AssetChange>): AssetChange => ({
  address: TOKEN,
  rawAmount: '5',
  amount: '5',
  sign: false,
  value: '',
  isERC1155: false,
  isERC721: false,
  symbol: 'TAX',
  decimals: 0,
  ...facts,
});
const measured = { rawAmount: '4', sign: false };
const CHANGES: BalanceChange = {
  status: true,
  balanceChange: [
    {
      account: ALICE,
      assets: [
        asset({ verified: true }),
        asset({ verified: false, measured }),
        asset({}),
        asset({ address: NATIVE_ASSET, symbol: 'ETH' }),
      ],
    },
  ],
  verification: {
    level: 'receipt',
    method: 'debug',
    faithful: true,
    native: 'unchecked',
    tokens: 'different',
    untold: [{ account: BOB, address: TOKEN, ...measured }],
  },
};
const PROOFS = [
  'measured',
  'measured, events differ',
  'not measured',
  'not measured',
  'measured, no event',
];

const transfer = (facts: Partial<FundTransfer>): FundTransfer => ({
  order: 0,
  nodeId: 1,
  frameId: 0,
  from: ALICE,
  to: BOB,
  asset: TOKEN,
  standard: 'erc20',
  rawAmount: '500',
  amount: '5',
  value: '7.5',
  symbol: 'TAX',
  decimals: 2,
  ...facts,
});
const CONTRADICTED = transfer({
  verified: false,
  measured: [
    { account: ALICE, rawAmount: '0', sign: true },
    { account: BOB, rawAmount: '450', sign: true },
  ],
});
const INSTEAD = `${ALICE} 0, ${BOB} +4.5`;
const FLOW = [
  transfer({ verified: true }),
  CONTRADICTED,
  transfer({}),
  transfer({ standard: 'native', asset: NATIVE_ASSET }),
];
const lastCells = (rows: readonly (readonly string[])[]): unknown[] =>
  rows.map((row) => row.at(-1));

describe('what a balance change rests on', () => {
  it('has the same words in the tables of the command line, of CSV and of the report', () => {
    assert.deepEqual(lastCells(balancesTable(CHANGES).rows), PROOFS);
    assert.deepEqual(lastCells(exportedBalances(CHANGES, names).rows), PROOFS);
    const text = report({ flow: flowOf([]), balanceChange: CHANGES }, names);
    const [part = ''] = text.split('## Call tree');
    const rows = part.split('\n').filter((line) => line.startsWith('| `0x'));
    assert.deepEqual(
      rows.map((row) => row.split(' | ').at(-2)),
      PROOFS,
    );
    assert.match(rows[1] ?? '', /\| -4 \| +\| measured, events differ \| -5 \|$/);
  });

  it('is noted in the text for models wherever it is not simply measured', () => {
    const naming = { names, nativeSymbol: 'ETH' };
    const options = { colors: PLAIN_TEXT.colors, naming, writing: writingFor(false) };
    const lines = renderBalances(CHANGES, options).split('\n').slice(1);
    assert.deepEqual(
      lines.map((line) => /(events claim −5|not measured|unexplained)?$/.exec(line)?.[0]),
      ['', 'events claim −5', 'not measured', 'not measured', 'unexplained'],
    );
  });

  it('is explained in a sentence: of the native asset, calls say so', () => {
    const title = (address: string): string =>
      evidenceTitle({ asset: { address }, evidence: 'claimed', plain: '1' });
    assert.match(title(NATIVE_ASSET), /^Calls say so/);
    assert.match(title(TOKEN), /^Events say so/);
    assert.equal(
      evidenceTitle({ asset: asset({}), evidence: 'contradicted', plain: '-4', claimed: '-5' }),
      'Events and calls claim −5, but the balance changed by −4',
    );
  });

  it('leaves amounts of collectibles without the word for unknown decimals', () => {
    const net = { rawAmount: '3', amount: '', sign: false };
    assert.equal(shownNet(net, asset({})), '-3 raw');
    assert.equal(shownNet(net, asset({ isERC1155: true })), '-3');
    assert.equal(isRaw({ ...net, rawAmount: '0' }, asset({})), false);
  });
});

describe('what a transfer rests on', () => {
  const proofs = ['measured', 'claimed only', 'not measured', 'by a call, not measured'];

  it('has the same words in every table', () => {
    assert.deepEqual(lastCells(transfersTable({ fundFlow: FLOW }, names).rows), proofs);
    const cli = flowTable({ fundFlow: FLOW, labels: {}, status: true } as never);
    assert.deepEqual(lastCells(cli.rows), [
      'measured',
      `claimed only; measured: ${INSTEAD}`,
      'not measured',
      'by a call, not measured',
    ]);
    const text = report(
      { flow: flowOf([]), fundFlow: { status: true, fundFlow: FLOW, labels: {} } },
      names,
    );
    assert.match(text, /\| claimed only \| 0xa1\w+ 0, 0xb2\w+ \+4\.5 \|\n/);
    assert.match(text, /\| by a call, not measured \| {2}\|\n/);
  });

  it('costs its worth in USD where the state contradicts it', () => {
    const usd = (table: { columns: readonly string[]; rows: readonly (readonly string[])[] }) =>
      table.rows.map((row) => row[table.columns.findIndex((one) => /^usd$/i.test(one))]);
    const expected = ['7.5', '', '7.5', '7.5'];
    assert.deepEqual(usd(transfersTable({ fundFlow: FLOW }, names)), expected);
    assert.deepEqual(usd(flowTable({ fundFlow: FLOW, labels: {} } as never)), expected);
  });

  it('is marked on screen where only an event claims it', () => {
    const short = (account: string): string => account.slice(0, 4);
    assert.deepEqual(
      FLOW.map((one) => transferMark(one, short)?.text),
      [undefined, 'claimed; measured: 0xa1 0, 0xb2 +4.5', 'not measured', undefined],
    );
    assert.deepEqual(
      FLOW.map((one) => markedTransfer(one, '5 TAX')),
      ['5 TAX', 'claims 5 TAX', '5 TAX, not measured', '5 TAX'],
    );
  });

  it('has measured amounts in the smallest unit where the decimals are unknown', () => {
    const raw = transfer({ ...CONTRADICTED });
    delete raw.decimals;
    assert.equal(
      measuredText(raw, () => 'x'),
      'x 0, x +450 raw',
    );
    assert.equal(
      measuredText({ ...raw, standard: 'erc721' }, () => 'x'),
      'x 0, x +450',
    );
    assert.equal(
      transferProofText({ ...raw, standard: 'native' }, () => 'x'),
      'claimed only; measured: x 0, x +0.00000000000000045',
    );
  });
});
