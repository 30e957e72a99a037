import assert from 'node:assert/strict';
import { flowPart } from '../../../media/inspector/protocol/analysis-parts';
import { answersOf } from '../../../media/inspector/export/answers';
import { csv } from '../../../media/inspector/export/csv';
import { exportFormats } from '../../../media/inspector/export/formats';
import {
  markdownCode,
  markdownTable,
  markdownText,
} from '../../../media/inspector/export/markdown';
import { report } from '../../../media/inspector/export/report';
import {
  balancesTable,
  callsTable,
  eventsTable,
  transfersTable,
} from '../../../media/inspector/export/tables';
import { namesOf } from '../../../server/presentation/segment';
import type { Parts } from '../../../media/inspector/protocol/protocol';
import {
  callRow,
  eventRow,
  fixture,
  flowOf,
  sandboxParts,
  type SandboxFixture,
} from '../../ui-components/fixtures';

const ALICE = `0x${'a'.repeat(40)}`;
const TOKEN = `0x${'c'.repeat(40)}`;
const names = namesOf({ [TOKEN]: 'Coin' });

describe('media: CSV', () => {
  it('quotes cells only if necessary', () => {
    assert.equal(
      csv({ columns: ['a', 'b'], rows: [['plain', 'say "hi", twice\nover']] }),
      'a,b\r\nplain,"say ""hi"", twice\nover"\r\n',
    );
  });

  it('neutralizes formulas, but keeps the sign of numbers', () => {
    const rows = [['=cmd|calc', '+1+1', '@x', '-1.5', '-x', '\tx']];
    assert.equal(csv({ columns: [], rows }), `\r\n'=cmd|calc,'+1+1,'@x,-1.5,'-x,'\tx\r\n`);
  });
});

describe('media: export tables', () => {
  it('sign balance changes and leave unknown values empty', () => {
    const asset = { address: TOKEN, isERC1155: false, isERC721: false };
    const { columns, rows } = balancesTable(
      {
        status: true,
        balanceChange: [
          {
            account: ALICE,
            assets: [
              { ...asset, rawAmount: '15', amount: '1.5', sign: false, value: '3', symbol: 'C' },
              { ...asset, rawAmount: '7', amount: '', sign: true, value: '', verified: true },
            ],
          },
        ],
      },
      names,
    );
    assert.deepEqual(columns.slice(5), [
      'change',
      'rawChange',
      'usd',
      'verified',
      'told',
      'claimed',
      'rawClaimed',
      'proof',
    ]);
    assert.deepEqual(rows, [
      [ALICE, '', TOKEN, 'C', '', '-1.5', '-15', '-3', '', 'true', '', '', 'not measured'],
      [ALICE, '', TOKEN, 'Coin', '', '', '7', '', 'true', 'true', '', '', 'measured'],
    ]);
  });

  it('contain changes that only the balances themselves show', () => {
    const { rows } = balancesTable(
      {
        status: true,
        balanceChange: [],
        verification: {
          native: 'verified',
          tokens: 'different',
          untold: [{ account: ALICE, address: TOKEN, rawAmount: '9', sign: false }],
        },
      },
      names,
    );
    assert.deepEqual(rows, [
      [ALICE, '', TOKEN, 'Coin', '', '', '-9', '', '', 'false', '', '', 'measured, no event'],
    ]);
  });

  it('contain a row for each transfer', () => {
    const transfer = { order: 0, nodeId: 4, frameId: 2, from: ALICE, to: TOKEN, asset: TOKEN };
    const { rows } = transfersTable(
      {
        fundFlow: [{ ...transfer, standard: 'erc20', rawAmount: '15', amount: '1.5', value: '3' }],
      },
      names,
    );
    const sides = [ALICE, '', TOKEN, 'Coin'];
    const amounts = ['1.5', '15', '3'];
    const proof = ['', '', 'not measured'];
    assert.deepEqual(rows, [
      ['0', ...sides, TOKEN, 'Coin', 'erc20', '', ...amounts, '4', ...proof],
    ]);
  });

  it('contain every call and every event, each in its table', () => {
    const { rows } = flowPart(fixture('swap').flow);
    const [calls, events] = [callsTable(rows, names), eventsTable(rows, names)];
    assert.equal(calls.rows.length + events.rows.length, rows.length);
    for (const table of [calls, events]) {
      for (const row of table.rows) assert.equal(row.length, table.columns.length);
    }
    assert.equal(events.rows[0]![3], 'Transfer');
  });
});

describe('media: Markdown', () => {
  it('escapes untrusted text', () => {
    assert.equal(markdownText('<b>|[x](y)'), '\\<b\\>\\|\\[x\\]\\(y\\)');
    assert.equal(markdownText('a\u202eb\nc'), 'a\\\\u\\{202e\\}b\\\\nc');
    assert.equal(markdownText('x'.repeat(1_000_000)).length, 201);
  });

  it('formats hex as code and aligns numbers', () => {
    assert.equal(
      markdownTable({
        columns: ['who', 'n'],
        rows: [
          [ALICE, '-1.5'],
          ['a|b', ''],
        ],
      }),
      `| who | n |\n| --- | ---: |\n| \`${ALICE}\` | -1.5 |\n| a\\|b |  |`,
    );
  });

  it('fences text that contains a fence', () => {
    assert.equal(markdownCode('a ```` b'), '`````text\na ```` b\n`````');
  });
});

describe('media: the report', () => {
  it('contains outcome, parties, balances, calls and events', () => {
    const { flow, balances } = fixture('swap');
    flow.labels[ALICE] = 'not in it';
    const text = report({ flow: flowPart(flow), balanceChange: balances }, namesOf(flow.labels));
    assert.equal(text.includes('not in it'), false);
    assert.match(text, /^# Succeeded: swapExactTokensForTokens\n\n- Transaction: `0x/);
    assert.match(text, /\n## Balance changes\n\n\| account \| accountName \| asset \|/);
    assert.match(text, /\| USDC \| {2}\| -1234\.56789 \| -1234\.3210 \| not measured \| {2}\|\n/);
    assert.match(text, /\n## Call tree\n\n```text\nCALL 0x/);
    assert.match(text, /\n {2}CALL 0xa0b8\S+\.transferFrom\(/);
    assert.match(text, /\n## Events\n\n```text\nEVENT 0x\S+\.Transfer\(/);
    assert.match(text, /\n## Names\n\n\| address \| name \|\n/);
    assert.match(text, /\n\| `0xa0b8\w+` \| USDC \|\n/);
  });

  it('shows raw amounts without decimals, and marks reverted rows', () => {
    const asset = { address: TOKEN, isERC1155: false, isERC721: false };
    const change = { ...asset, rawAmount: '500', amount: '', sign: false, value: '' };
    const balanceChange = [{ account: ALICE, assets: [change] }];
    const rows = [callRow(0, { status: false }), callRow(1, { revert: true }), eventRow(2)];
    const text = report(
      { flow: flowOf(rows), balanceChange: { status: true, balanceChange } },
      names,
    );
    assert.match(text, /\| Coin \| {2}\| -500 raw \| {2}\| not measured \| {2}\|\n/);
    assert.match(text, /\n {2}CALL \S+\(\) \(rolled back\)\n {4}EVENT /);
  });

  it('shows why a transaction failed, and counts omitted rows', () => {
    const rows = [callRow(0, { status: false, revertMessage: '<b>no' }), callRow(1), callRow(2)];
    const text = report({ flow: flowOf(rows, { status: false }) }, names, 1);
    assert.match(text, /\*\*Why:\*\* \\<b\\>no\n/);
    assert.match(text, /\n1 more row: deeper than 1 levels/);
  });
});

describe('media: what happened, in the report', () => {
  const sections = (name: SandboxFixture): string[] => {
    const { flow, balanceChange } = sandboxParts(name);
    const text = report({ flow, balanceChange }, namesOf(flow.labels));
    return text.split('\n## ').map((section) => section.replaceAll('\\', ''));
  };

  it('has the sentence and the findings, with the numbers of the call tree', () => {
    const [, happened, , tree] = sections('exploit-reentrancy');
    assert.equal(
      happened,
      'What happened\n\nmallory gained 10 ETH by reentrancy.\n\n' +
        '- mallory (sender, largest gain): +10 ETH ($41,002.50)\n' +
        '- Ether vault (largest loss): −10 ETH ($41,002.50)\n' +
        "- **!** Reentrancy: Mallory's thief called Ether vault again while it was paid, and was paid again: 12 ETH in all (#3 #4 #5 #6)\n",
    );
    assert.match(
      tree ?? '',
      /\n {2}#3 CALL 0x\w+\.withdraw\(\)\n {4}#4 CALL native transfer to 0x/,
    );
  });

  it('has the failed calls and the proved cause', () => {
    const [, happened = '', , , names = ''] = sections('failed-mint');
    assert.equal(
      happened,
      'What happened\n\nmallory tried to mint 1,000 GOLD, and failed.\n\n' +
        '- GOLD code, version 2.mint failed: NotOwner(caller: mallory) (#1)\n' +
        '- then GOLD (proxy).mint failed: NotOwner(caller: mallory) (#0)\n' +
        '- The owner is carol, but the caller was mallory. Proved: read from the state before the transaction\n',
    );
    assert.match(names, /\| carol \|/, 'the name occurs in the sentences alone');
  });

  it('names what the state contradicts, and whole addresses', () => {
    const flow = flowOf([callRow(0)], {
      summary: {
        clauses: [],
        moreClauses: 0,
        approvals: [],
        moreApprovals: 0,
        findings: [],
        moreFindings: 0,
        swallowed: [],
        swallowedCount: 0,
        contradictions: [
          {
            kind: 'balance',
            account: ALICE,
            asset: TOKEN,
            standard: 'erc20',
            symbol: '<USDC>',
            claimed: { rawAmount: '5000', amount: '5000', sign: true },
            measured: { rawAmount: '0', amount: '0', sign: true },
            nodeIds: [0],
          },
        ],
      },
    });
    assert.ok(
      report({ flow }, names).includes(
        `\n\n- **!** ${ALICE}\\: the balance did not change; the events claim \\+5,000 \\<USDC\\> \\(\\#0\\)\n`,
      ),
    );
  });
});

describe('media: exported responses', () => {
  for (const name of ['swap', 'revert', 'nft'] as const) {
    it(`equal those of the service: ${name}`, () => {
      const { flow, balances } = fixture(name);
      const json = exportFormats().find(({ suffix }) => suffix === '.json');
      const written = json?.write({ flow: flowPart(flow), balanceChange: balances }, names);
      assert.deepEqual(JSON.parse(written ?? ''), {
        invocationFlow: flow,
        balanceChange: balances,
      });
    });
  }

  it('omit labels of other addresses', () => {
    const flow = flowOf([callRow(0, { address: TOKEN })], {
      labels: { [TOKEN]: 'Coin', [`0x${'9'.repeat(40)}`]: 'my secret wallet' },
    });
    const json = exportFormats().find(({ suffix }) => suffix === '.json');
    const written = JSON.parse(json?.write({ flow }, names) ?? '') as {
      invocationFlow: { labels: object };
    };
    assert.deepEqual(written.invocationFlow.labels, { [TOKEN]: 'Coin' });
  });

  it('contain the parts of all tabs in the form of their operations', () => {
    const flow = flowOf([]);
    const stateDiff: Parts['stateDiff'] = {
      method: 'debug',
      fee: { payer: ALICE, paid: '1', recipient: TOKEN, received: '0' },
      accounts: [],
      labels: { [TOKEN]: 'Coin' },
    };
    const { labels, ...answer } = stateDiff;
    assert.deepEqual((answersOf({ flow, stateDiff }) as Record<string, unknown>)['stateDiff'], {
      status: true,
      stateDiff: answer,
      labels,
    });
  });

  it('handle a thousand levels', () => {
    const rows = Array.from({ length: 1025 }, (_, depth) => callRow(depth, { id: depth }));
    const written = exportFormats().map(({ write }) => write({ flow: flowOf(rows) }, names));
    assert.equal(written[2], undefined);
    assert.ok(written[1]?.includes('"id": 1024'));
  });
});
