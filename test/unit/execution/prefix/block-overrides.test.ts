import assert from 'node:assert/strict';
import { blockOverrides } from '../../../../server/execution/prefix/predict-effects';
import type { RpcBlockHeader } from '../../../../server/evm/forms/types';
import { toWord } from '../../../../server/evm/forms/quantity';

const HEADER: RpcBlockHeader = {
  number: '0x64',
  hash: toWord(1),
  parentHash: toWord(2),
  timestamp: '0x65000000',
  miner: `0x${'fe'.repeat(20)}`,
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
};

describe('block overrides', () => {
  it('contain the difficulty of a block before the merge', () => {
    assert.deepEqual(blockOverrides({ ...HEADER, difficulty: '0x20000', mixHash: toWord(3) }), {
      number: '0x64',
      time: '0x65000000',
      gasLimit: '0x1c9c380',
      coinbase: HEADER.miner,
      difficulty: '0x20000',
      random: toWord(3),
    });
  });
});
