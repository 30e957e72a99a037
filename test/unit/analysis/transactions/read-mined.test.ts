import assert from 'node:assert/strict';
import { readMined } from '../../../../server/analysis/transactions/read-mined';
import { BLOCK_HASH, HASH, mined, network, word } from '../../../support/analysis';

describe('readMined', () => {
  const on = network();

  it('refuses answers about different executions', () => {
    const may = '; it may be replacing its newest blocks';
    for (const [facts, text] of [
      [
        { receipt: { transactionHash: word(8) } },
        `hash of transaction ${HASH} is ${HASH} and ${word(8)}`,
      ],
      [
        { receipt: { blockHash: word(8) } },
        `block hash of transaction ${HASH} is ${BLOCK_HASH} and ${word(8)}`,
      ],
      [
        { block: { hash: word(8) } },
        `block hash of transaction ${HASH} is ${BLOCK_HASH} and ${word(8)}`,
      ],
      [
        { receipt: { blockNumber: '0x65' } },
        `block number of transaction ${HASH} is 0x64 and 0x65`,
      ],
      [{ block: { number: '0x65' } }, `block number of transaction ${HASH} is 0x64 and 0x65`],
      [{ receipt: { transactionIndex: '0x1' } }, `index of transaction ${HASH} is 0x0 and 0x1`],
    ] as const) {
      assert.throws(() => readMined(on, mined(facts)), {
        kind: 'upstreamLacksData',
        message: `the node of test contradicts itself: the ${text}${may}`,
      });
    }
  });

  it('refuses malformed answers with the field and the value', () => {
    for (const [facts, text] of [
      [{ transaction: { gas: 'much' } }, 'transaction.gas is "much"'],
      [{ receipt: { gasUsed: 'much' } }, 'receipt.gasUsed is "much"'],
      [{ block: { timestamp: 'late' } }, 'block.timestamp is "late"'],
    ] as const) {
      assert.throws(() => readMined(on, mined(facts as unknown as Parameters<typeof mined>[0])), {
        kind: 'upstreamLacksData',
        message: `the node of test returned an invalid value: ${text}`,
      });
    }
  });

  it('returns the hash in lower case, and the price of blob gas by the rules', () => {
    const upper = HASH.toUpperCase().replace('0X', '0x') as typeof HASH;
    const blobs = { blobGasUsed: '0x20000' } as const;
    const answers = mined({
      transaction: { hash: upper, type: '0x3', blobVersionedHashes: [word(1)] },
      receipt: blobs,
      block: { excessBlobGas: '0x0', blobGasUsed: '0x20000' },
    });
    const read = readMined(network(undefined, { hardfork: 'cancun' }), answers);
    assert.equal(read.transaction.hash, HASH);
    assert.equal(read.receipt.blobGasPrice, '0x1');
    assert.equal(readMined(on, mined()).receipt.blobGasPrice, undefined);
  });
});
