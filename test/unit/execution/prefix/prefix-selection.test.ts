import assert from 'node:assert/strict';
import {
  loggedAddresses,
  relatedTransactions,
} from '../../../../server/execution/prefix/prefix-selection';
import type { Address } from '../../../../server/api/primitives';
import type { RpcBlock } from '../../../../server/evm/forms/types';
import { account, mined } from '../../../support/analysis';

const [A, B, C, TOKEN] = [account(0xa), account(0xb), account(0xc), account(0x70)];

/** Transactions as sender, receiver and the emitter of a log. */
function related(prefix: [Address, Address | null, Address?][], accounts: Address[]) {
  const made = prefix.map(([from, to, emitter]) =>
    mined({
      transaction: { from, to },
      receipt: { logs: emitter ? [{ address: emitter, topics: [], data: '0x' }] : [] },
    }),
  );
  const block = { transactions: made.map(({ transaction }) => transaction) } as RpcBlock;
  return relatedTransactions(
    block,
    made.length,
    made.map(({ receipt }) => receipt),
    new Set(accounts),
  );
}

describe('relatedTransactions', () => {
  it('send from an account, send to it, or make it emit', () => {
    assert.deepEqual(
      related(
        [
          [A, B],
          [B, C],
          [C, A],
          [C, B, TOKEN],
        ],
        [TOKEN],
      ),
      [2, 3],
    );
    assert.deepEqual(related([[A, B]], [A]), [0]);
    assert.deepEqual(related([[A, B]], [B]), [0]);
    assert.deepEqual(related([[A, null]], [C]), []);
  });

  it('include all earlier ones of their senders, and no later ones', () => {
    assert.deepEqual(
      related(
        [
          [A, C],
          [B, C],
          [A, TOKEN],
          [A, C],
        ],
        [TOKEN],
      ),
      [0, 2],
    );
  });

  it('match addresses in any case', () => {
    assert.deepEqual(related([[A.toUpperCase().replace('0X', '0x') as Address, B]], [A]), [0]);
  });
});

describe('loggedAddresses', () => {
  it('are the words of log data that are neither amounts nor hashes', () => {
    const words = [A.slice(2).padStart(64, '0'), 'ff'.repeat(32), TOKEN.slice(2).padStart(64, '0')];
    const created = `0x${'c4'.repeat(20)}`;
    const amount = (2n ** 128n - 1n).toString(16).padStart(64, '0');
    const logs = [
      { address: B, topics: [], data: `0x${[amount, ...words].join('')}` as const },
      { address: B, topics: [], data: `0x${created.slice(2).padStart(64, '0')}c4` as const },
    ];
    assert.deepEqual(loggedAddresses(mined({ receipt: { logs } }).receipt), [created]);
  });
});
