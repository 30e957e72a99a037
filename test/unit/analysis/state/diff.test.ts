import assert from 'node:assert/strict';
import { gasFee } from '../../../../server/analysis/gas/fee';
import { readStateDiff, toStateDiff } from '../../../../server/analysis/state/diff';
import { ApiError } from '../../../../server/api/errors';
import { account, mined, word } from '../../../support/analysis';

const A = account(0xa11);
const B = account(0xb0b);
const C = account(0xc);
const NO_FEE = { payer: A, paid: 0n, recipient: C, received: 0n, others: [], execution: 0n };
const accountsOf = (pre: unknown, post: unknown, fee = NO_FEE) =>
  toStateDiff(readStateDiff({ pre, post }), fee).accounts;

describe('state difference', () => {
  it('separates gas fees from other changes', () => {
    const fee = { payer: A, paid: 30n, recipient: C, received: 10n, others: [], execution: 30n };
    assert.deepEqual(
      accountsOf(
        { [A]: { balance: '0x64', nonce: 1 }, [B]: { balance: '0x0' }, [C]: { balance: '0x5' } },
        { [A]: { balance: '0x41', nonce: 2 }, [B]: { balance: '0x5' }, [C]: { balance: '0xf' } },
        fee,
      ),
      [
        {
          address: C,
          created: false,
          destroyed: false,
          balance: { before: '5', after: '15', change: '0', fee: '10' },
          storage: [],
        },
        {
          address: A,
          created: false,
          destroyed: false,
          balance: { before: '100', after: '65', change: '-5', fee: '-30' },
          nonce: { before: 1, after: 2 },
          storage: [],
        },
        {
          address: B,
          created: true,
          destroyed: false,
          balance: { before: '0', after: '5', change: '5', fee: '0' },
          storage: [],
        },
      ],
    );
  });

  it('shows a fee that received ether cancels out', () => {
    const fee = { ...NO_FEE, paid: 30n };
    const [sender] = accountsOf({ [A]: { balance: '0x64', nonce: 1 } }, { [A]: { nonce: 2 } }, fee);
    assert.deepEqual(sender?.balance, { before: '100', after: '100', change: '30', fee: '-30' });
  });

  it('reads a slot that is missing on one side as zero', () => {
    const [change] = accountsOf(
      { [B]: { balance: '0x1', nonce: 1, code: '0x00', storage: { '0x1': '0x5', '0x2': '0x6' } } },
      { [B]: { storage: { '0x2': '0x7', '0x3': '0x8' } } },
    );
    assert.deepEqual(change, {
      address: B,
      created: false,
      destroyed: false,
      storage: [
        { slot: word(1), before: word(5), after: word(0) },
        { slot: word(2), before: word(6), after: word(7) },
        { slot: word(3), before: word(0), after: word(8) },
      ],
    });
  });

  it('contains created and destroyed accounts, and code that was set', () => {
    const [made, delegated, gone] = accountsOf(
      { [B]: { balance: '0x0', nonce: 0 }, [C]: { balance: '0x9', nonce: 1, code: '0xFE' } },
      { [A]: { balance: '0x0', nonce: 1, code: '0x6000' }, [B]: { code: '0xef0100' } },
    ).sort((a, b) => (a.address === A ? -1 : b.address === A ? 1 : a.address === B ? -1 : 1));
    assert.deepEqual(made, {
      address: A,
      created: true,
      destroyed: false,
      nonce: { before: 0, after: 1 },
      code: { before: '0x', after: '0x6000' },
      storage: [],
    });
    assert.deepEqual(
      [delegated?.created, delegated?.code],
      [true, { before: '0x', after: '0xef0100' }],
    );
    assert.deepEqual(gone, {
      address: C,
      created: false,
      destroyed: true,
      balance: { before: '9', after: '0', change: '-9', fee: '0' },
      nonce: { before: 1, after: 0 },
      code: { before: '0xfe', after: '0x' },
      storage: [],
    });
  });

  it('says that an account was created if it was empty (EIP-161)', () => {
    const created = (before: object): boolean | undefined =>
      accountsOf({ [A]: before }, { [A]: { balance: '0x7' } })[0]?.created;
    assert.equal(created({ balance: '0x0' }), true);
    assert.equal(created({ balance: '0x0', nonce: '0x0', code: '0x' }), true);
    assert.equal(created({ balance: '0x1' }), false);
    assert.equal(created({ balance: '0x0', nonce: 1 }), false);
    assert.equal(created({ balance: '0x0', code: '0x60' }), false);
    assert.equal(created({ nonce: 0 }), false, 'its balance is not known');
  });

  it('omits values that are equal on both sides', () => {
    assert.deepEqual(
      accountsOf(
        { [A]: { balance: '0x1', storage: { '0x1': '0x2' } } },
        { [A]: { balance: '0x1', storage: { '0x1': '0x02' } } },
      ),
      [],
    );
  });

  it('rejects other answers', () => {
    for (const answer of [
      null,
      'x',
      { pre: [], post: {} },
      { pre: { zz: {} }, post: {} },
      { pre: { [A]: { balance: 'ten' } }, post: {} },
      { pre: { [A]: { code: '0x1' } }, post: {} },
      { pre: { [A]: { storage: { '0x1': 5.5 } } }, post: {} },
    ]) {
      assert.throws(
        () => readStateDiff(answer),
        (error) => error instanceof ApiError && error.kind === 'upstreamLacksData',
        JSON.stringify(answer),
      );
    }
  });

  it('computes payer and recipient of the fee', () => {
    const legacy = gasFee(mined());
    assert.deepEqual(legacy, {
      payer: A,
      paid: 21_000_000_000_000n,
      recipient: account(0xfee),
      received: 21_000_000_000_000n,
      others: [],
      execution: 21_000_000_000_000n,
    });
    const burning = gasFee(
      mined({
        block: { baseFeePerGas: '0x3b9ac9fe' }, // two wei below the price
        receipt: { blobGasUsed: '0x20000', blobGasPrice: '0x3' },
      }),
    );
    assert.equal(burning.paid, 21_000_000_000_000n + 393_216n);
    assert.equal(burning.received, 42_000n);
  });
});

describe('state difference of a node', () => {
  it('is refused with the field and the value that cannot be read', () => {
    const tooLong = `0x${'1'.repeat(65)}`;
    for (const [answer, text] of [
      [null, 'the state difference is null'],
      [{ pre: 5 }, 'pre is 5'],
      [{ pre: {}, post: 5 }, 'post is 5'],
      [{ pre: { [A]: { balance: -1 } } }, 'balance is -1'],
      [{ pre: { [A]: { balance: tooLong } } }, `balance is "${tooLong}"`],
      [{ pre: { [A]: { balance: '00x1' } } }, 'balance is "00x1"'],
      [{ pre: { [A]: { nonce: 'x' } } }, 'nonce is "x"'],
      [{ pre: { [A]: { code: 5 } } }, 'code is 5'],
      [{ pre: { [A]: { storage: 5 } } }, 'storage is 5'],
      [{ pre: { [A]: { storage: { x: '0x1' } } } }, 'storage is "x"'],
      [{ pre: { [A]: { storage: { '0x1': 'x' } } } }, 'storage is "x"'],
    ] as const) {
      assert.throws(() => readStateDiff(answer), {
        message: `the node's state difference cannot be read: ${text}`,
      });
    }
  });

  it('lists accounts ascending, whatever their order, and reads numbers as quantities', () => {
    const found = accountsOf(
      { [B]: { balance: 1 }, [A]: { nonce: 1 } },
      { [B]: { balance: 2 }, [A]: { nonce: '0x2' }, [C]: { balance: '0x1' } },
    );
    assert.deepEqual(
      found.map(({ address }) => address),
      [C, A, B],
    );
    assert.deepEqual(found[1]?.nonce, { before: 1, after: 2 });
  });

  it('reads code that was removed from its hash', () => {
    const codeHash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
    const [removed] = accountsOf({ [A]: { code: '0xef01' } }, { [A]: { codeHash } });
    assert.deepEqual(removed?.code, { before: '0xef01', after: '0x' });
    assert.deepEqual(accountsOf({ [A]: { code: '0xef01' } }, { [A]: { codeHash: word(1) } }), []);
  });
});
