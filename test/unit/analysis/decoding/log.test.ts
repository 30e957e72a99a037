import assert from 'node:assert/strict';
import { AbiCoder, EventFragment, id } from 'ethers';
import { decodeLog } from '../../../../server/analysis/decoding/log';
import type { Hash, Hex } from '../../../../server/api/primitives';
import { account, log, word } from '../../../support/analysis';

const event = (text: string) => ({ fragment: EventFragment.from(text), source: 'user' as const });
const ERC20 = event('event Transfer(address indexed from, address indexed to, uint256 value)');
const ERC721 = event(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
);
const TOPIC = id('Transfer(address,address,uint256)') as Hash;
const encode = (types: string[], values: unknown[]) =>
  AbiCoder.defaultAbiCoder().encode(types, values) as Hex;

describe('decodeLog', () => {
  it('distinguishes ERC-20 and ERC-721 transfers by their topics', () => {
    const sides = [word(account(1)), word(account(2))];
    const values = (topics: Hash[], data: Hex) =>
      decodeLog(log(account(9), topics, data), [ERC20, ERC721])?.params.map(
        ({ name, value }) => `${name}=${value}`,
      );
    assert.deepEqual(values([TOPIC, ...sides], word(7)), [
      `from=${account(1)}`,
      `to=${account(2)}`,
      'value=7',
    ]);
    assert.deepEqual(values([TOPIC, ...sides, word(7)], '0x'), [
      `from=${account(1)}`,
      `to=${account(2)}`,
      'tokenId=7',
    ]);
    assert.equal(values([TOPIC, ...sides], '0x'), undefined);
    assert.equal(values([TOPIC], word(7)), undefined);
  });

  it('keeps the order of the declaration, and shows the topic of a dynamic parameter', () => {
    const named = event(
      'event Named(uint256 before, string indexed name, uint256[] list, bool indexed yes)',
    );
    const hash = word(0xabcdef);
    const found = decodeLog(
      log(
        account(9),
        [named.fragment.topicHash as Hash, hash, word(1)],
        encode(['uint256', 'uint256[]'], [1n, [2n]]),
      ),
      [named],
    );
    assert.deepEqual(found, {
      name: 'Named',
      signature: 'Named(uint256,string,uint256[],bool)',
      params: [
        { name: 'before', type: 'uint256', value: '1' },
        { name: 'name', type: 'string', value: hash },
        { name: 'list', type: 'uint256[]', value: '["2"]' },
        { name: 'yes', type: 'bool', value: 'true' },
      ],
      source: 'user',
    });
  });

  it('rejects topics and data that do not re-encode to the same bytes', () => {
    const dirty: Hash = `0x${'ff'.repeat(32)}`;
    const sides = [word(account(1)), word(account(2))];
    assert.equal(decodeLog(log(account(9), [TOPIC, dirty, word(2)], word(7)), [ERC20]), null);
    assert.equal(decodeLog(log(account(9), [TOPIC, ...sides], `${word(7)}00`), [ERC20]), null);
  });

  it('decodes parameters with the same name', () => {
    const pair = event('event Pair(uint256, uint256)');
    const found = decodeLog(
      log(account(9), [pair.fragment.topicHash as Hash], encode(['uint256', 'uint256'], [1n, 2n])),
      [pair],
    );
    assert.deepEqual(
      found?.params.map(({ value }) => value),
      ['1', '2'],
    );
  });
});
