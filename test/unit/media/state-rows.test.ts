import assert from 'node:assert/strict';
import { namesOf, plainText } from '../../../server/presentation/segment';
import { stateRows } from '../../../media/inspector/state-diff/state-rows';
import { numberedEvents, rawEvent } from '../../../media/inspector/events/event-list';
import { sandboxParts } from '../../ui-components/fixtures';

const { stateDiff, flow } = sandboxParts('flash-loan');
const wording = { names: namesOf(flow.labels), nativeSymbol: 'ETH' };

describe('media: state rows', () => {
  const all = stateRows(stateDiff.accounts, wording, () => true);
  const texts = all.map((row) =>
    row.kind === 'account'
      ? row.account.address
      : `${row.name.map(({ text }) => text).join('')}: ${plainText(row.before)} → ${plainText(row.after)} (${row.difference ?? ''})`,
  );

  it('show balances in ether with a separate fee, and nonces', () => {
    const carol = texts.indexOf('0x90f79bf6eb2c4f870365e785982e1f101e93b906');
    assert.deepEqual(texts.slice(carol + 1, carol + 3), [
      'balance (ETH): 9994.939320255463078017 → 9994.939126313114669089 (fee −0.000193942348408928)',
      'nonce: 8 → 9 (+1)',
    ]);
  });

  it('show no unit if it is unknown', () => {
    const [, row] = stateRows(stateDiff.accounts, { ...wording, nativeSymbol: '' }, () => true);
    assert.equal(row?.kind === 'change' && plainText(row.name), 'balance');
  });

  it('show variables with names of addresses and their difference', () => {
    assert.ok(
      texts.includes(
        'balanceOf[HBR/hUSD side pool]: 100000000000000000000000 → 100999387879218314452973 (+999.387879218314452973 HBR)',
      ),
    );
  });

  it('show raw slots if no layout is known', () => {
    const [account] = stateDiff.accounts.filter(({ storage }) => storage.length > 0);
    const storage = [{ slot: `0x${'0'.repeat(63)}3`, before: '0x01', after: '0x02' }];
    const [, row] = stateRows([{ ...account!, storage }], wording, () => true);
    assert.equal(row?.kind === 'change' && plainText(row.name), `slot ${storage[0]!.slot}`);
  });

  it('show what is plausible of slots, marked as inferred, and whole words as text to copy', () => {
    const [account] = stateDiff.accounts.filter(({ storage }) => storage.length > 0);
    const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
    const holder = `0x${'c'.repeat(40)}`;
    const found = {
      name: `mapping@3[${holder}]`,
      type: 'uint256' as const,
      before: '5',
      after: '1000',
    };
    const change = { slot: `0x${'ab'.repeat(32)}`, before: word('5'), after: word('3e8'), found };
    const line = (storage: NonNullable<typeof account>['storage']) => {
      const [, row] = stateRows([{ ...account!, storage }], wording, () => true);
      assert.ok(row?.kind === 'change');
      const text = (pieces: typeof row.name) => pieces.map((piece) => piece.text).join('');
      return [
        text(row.name),
        text(row.before),
        text(row.after),
        row.difference,
        plainText(row.after),
      ];
    };
    assert.deepEqual(line([change]), [
      'mapping@3[0xcccc…cccc] inferred',
      '5',
      '1,000',
      '+995',
      word('3e8'),
    ]);
    const amount = { asset: holder, symbol: 'hUSD', before: '0.5', after: '100', change: '99.5' };
    assert.deepEqual(line([{ ...change, found: { ...found, amount } }]).slice(1), [
      '0.5 hUSD',
      '100 hUSD',
      '+99.5 hUSD',
      word('3e8'),
    ]);
    assert.equal(line([{ slot: word('3'), before: word('1'), after: word('2') }])[0], 'slot 3');
  });

  it('keep an account with its matching lines', () => {
    const rows = stateRows(stateDiff.accounts, wording, (_, name) =>
      plainText(name).includes('reserve0'),
    );
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['account', 'change', 'account', 'change'],
    );
  });
});

describe('media: events', () => {
  it('are numbered if the chain contains them', () => {
    const events = numberedEvents(flow.rows);
    assert.deepEqual(
      events.map(({ number }) => number),
      [...events.keys()],
    );
    const undone = flow.rows.map((row, index) =>
      row.nodeType === 1 && index < 6 ? { ...row, event: { ...row.event, revert: true } } : row,
    );
    assert.deepEqual(
      numberedEvents(undone)
        .slice(0, 2)
        .map(({ number }) => number),
      [undefined, 0],
    );
  });

  it('show undecoded topics and data', () => {
    const { event } = numberedEvents(flow.rows)[0]!;
    const { decodedLog } = rawEvent(event);
    assert.equal(decodedLog.name, '0xddf2…b3ef');
    assert.deepEqual(
      decodedLog.params.map(({ name }) => name),
      ['topic 1', 'topic 2', 'data'],
    );
    assert.equal(rawEvent({ ...event, topics: [], logData: '0x' }).decodedLog.name, 'anonymous');
  });
});
