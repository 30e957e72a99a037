import assert from 'node:assert/strict';
import { keccak256 } from 'ethers';
import {
  hexLiteral,
  slotWord,
  textWords,
} from '../../../../../extension/debugger/adapter/storage-word';
import type { Variable } from '../../../../../server/api/recording';

const SLOT = `0x${'00'.repeat(31)}05`;
const ADDRESS = `0x${'ab'.repeat(20)}`;
const stored = (type: string, more: Partial<Variable> = {}): Variable => ({
  name: 'it',
  type,
  value: '',
  location: 'storage',
  address: ADDRESS,
  slot: SLOT,
  ...more,
});
const word = (variable: Variable, text: string, whole?: bigint): string =>
  slotWord(variable, text, whole).words[SLOT]!;

describe('a changed variable in storage', () => {
  it('is a word at its slot', () => {
    assert.deepEqual(slotWord(stored('uint256'), '1.5 ether', undefined), {
      address: ADDRESS,
      words: { [SLOT]: `0x${(15n * 10n ** 17n).toString(16).padStart(64, '0')}` },
    });
    assert.equal(word(stored('int256'), '-1'), `0x${'ff'.repeat(32)}`);
    assert.equal(word(stored('bytes32'), `0x${'12'.repeat(32)}`), `0x${'12'.repeat(32)}`);
  });

  it('leaves its neighbours in the slot', () => {
    const whole = BigInt(`0x${'99'.repeat(32)}`);
    assert.equal(
      word(stored('bool', { offset: 2 }), 'true', whole),
      `0x${'99'.repeat(29)}01${'99'.repeat(2)}`,
    );
    assert.equal(word(stored('bytes4'), '0x01020304', whole), `0x${'99'.repeat(28)}01020304`);
    assert.equal(word(stored('int8', { offset: 31 }), '-2', whole), `0xfe${'99'.repeat(31)}`);
    assert.equal(
      word(stored('contract Vault', { offset: 1 }), `0x${'cd'.repeat(20)}`, whole),
      `0x${'99'.repeat(11)}${'cd'.repeat(20)}99`,
    );
    assert.throws(() => word(stored('uint8'), '1'), /shares its slot/);
  });

  it('is a text in its slot, or in slots of its own', () => {
    assert.deepEqual(textWords(stored('string'), Buffer.from('gold')).words, {
      [SLOT]: `0x${Buffer.from('gold').toString('hex').padEnd(62, '0')}08`,
    });
    assert.deepEqual(textWords(stored('bytes'), Buffer.alloc(0)).words, {
      [SLOT]: `0x${'0'.repeat(64)}`,
    });
    const first = BigInt(keccak256(SLOT));
    const slot = (index: bigint): string => `0x${(first + index).toString(16).padStart(64, '0')}`;
    assert.deepEqual(textWords(stored('bytes'), Buffer.alloc(33, 0xab)).words, {
      [SLOT]: `0x${(67).toString(16).padStart(64, '0')}`,
      [slot(0n)]: `0x${'ab'.repeat(32)}`,
      [slot(1n)]: `0xab${'0'.repeat(62)}`,
    });
    assert.throws(
      () => textWords(stored('bytes'), Buffer.alloc(5_000)),
      /it is "5000 bytes"; accepted: up to 4096 bytes/,
    );
    assert.deepEqual(hexLiteral('hex"c0"'), Buffer.from([0xc0]));
    assert.equal(hexLiteral('"c0"'), undefined);
  });

  it('is refused where it is no single value in storage, or the text is none of its type', () => {
    assert.throws(() => word(stored('uint256', { location: 'stack' }), '1'), /is not in storage/);
    assert.throws(() => word(stored('struct User'), '1'), /a variable of one value/);
    assert.throws(() => word(stored('uint8'), '256', 0n), /from 0 to 2\^8 - 1/);
    assert.throws(() => word(stored('bool'), '1', 0n), /true or false/);
    assert.throws(() => word(stored('address'), '0x12', 0n), /an address/);
  });
});
