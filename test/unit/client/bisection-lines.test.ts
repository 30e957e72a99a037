import assert from 'node:assert/strict';
import type { Bisection } from '../../../server/api/bisect';
import { bisectionLines } from '../../../server/client/bisection-lines';
import { NO_PAINT } from '../../../server/client/paint';

const VAULT = `0x${'5'.repeat(40)}`;
const OWNER = `0x${'f'.repeat(40)}`;

const bool = (value: string): Bisection['start'] => ({ value, type: 'bool' });

describe('the lines of a bisection', () => {
  it('have balances in wei, nonces in decimal, and words without leading zeros', () => {
    const found: Bisection = {
      expression: 'vault.balance > 40000',
      from: 36,
      to: 41,
      start: bool('false'),
      end: bool('true'),
      changes: [
        {
          blockNumber: 41,
          blockHash: `0x${'b'.repeat(64)}`,
          timestamp: 1_735_689_780,
          transaction: { hash: `0x${'a'.repeat(64)}`, position: 0, from: OWNER, to: VAULT },
          before: bool('false'),
          after: bool('true'),
          executor: 'process',
          state: [
            { address: VAULT, part: 'balance', before: '0x9b3d', after: '0x9f4c' },
            { address: OWNER, part: 'nonce', before: '0x29', after: '0x2a' },
            {
              address: VAULT,
              part: 'slot',
              slot: `0x${'0'.repeat(64)}`,
              variables: ['total'],
              before: `0x${'1f'.padStart(64, '0')}`,
              after: `0x${'20'.padStart(64, '0')}`,
            },
          ],
          payments: [],
          writes: [],
        },
      ],
      mayMiss: 'nothing',
      reads: 7,
    };
    const lines = [...bisectionLines(found, 'eth', NO_PAINT)];
    assert.deepEqual(
      lines.filter((line) => line.startsWith('  0x')),
      [
        `  ${VAULT} balance: 39741 wei → 40780 wei`,
        `  ${OWNER} nonce: 41 → 42`,
        `  ${VAULT} total: 0x1f → 0x20`,
      ],
    );
  });
});
