import assert from 'node:assert/strict';
import { topicOf } from '../../../../extension/watch/event-topic';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

describe('the topic of a watched event', () => {
  it('is computed from a signature, with or without names, and taken as it is', () => {
    const expected = { topic: TRANSFER, name: 'Transfer' };
    assert.deepEqual(topicOf('Transfer(address,address,uint256)'), expected);
    assert.deepEqual(
      topicOf('event Transfer(address indexed from, address indexed to, uint256 value)'),
      expected,
    );
    assert.deepEqual(topicOf(` ${TRANSFER.toUpperCase().replace('0X', '0x')} `), {
      topic: TRANSFER,
      name: '0xddf2…b3ef',
    });
  });

  it('is undefined for other texts', () => {
    for (const text of [
      '',
      'Transfer',
      '0x12',
      'function transfer(address)',
      'Transfer(nothing)',
    ]) {
      assert.equal(topicOf(text), undefined, text);
    }
  });
});
