import assert from 'node:assert/strict';
import {
  fold,
  grouped,
  inert,
  networkName,
  shortHex,
  shownText,
  utcTime,
} from '../../../server/presentation/text';

describe('media: text', () => {
  it('escapes characters that are invisible or reorder their neighbours', () => {
    assert.equal(inert('USDC\u202e\u0000\u200b\ufeff'), 'USDC\\u{202e}\\u{0}\\u{200b}\\u{feff}');
    assert.equal(inert('a\nb\tc\u2028d'), 'a\\nb\\tc\\u{2028}d');
    assert.equal(inert('\ud800x\u{e0041}'), '\\u{d800}x\\u{e0041}');
  });

  it('keeps letters of every script and emoji unchanged', () => {
    assert.equal(inert('Ξther שלום 東京 🦄 <b>'), 'Ξther שלום 東京 🦄 <b>');
  });

  it('folds without splitting a surrogate pair', () => {
    assert.equal(fold('abc', 3), 'abc');
    assert.equal(fold('abcd', 3), 'abc…');
    assert.equal(fold('ab🦄cd', 3), 'ab…');
  });

  it('shows the start of a megabyte', () => {
    assert.equal(shownText('\u202e'.repeat(1_000_000), 2), '\\u{202e}\\u{202e}…');
  });

  it('shortens hashes and addresses, not short hex', () => {
    assert.equal(shortHex(`0x1234${'0'.repeat(32)}cdef`), '0x1234…cdef');
    assert.equal(shortHex('0xa9059cbb'), '0xa9059cbb');
  });

  it('shortens the id of a fork, and keeps the slug of a chain', () => {
    assert.equal(networkName(`fork_1234${'0'.repeat(24)}cdef`), 'fork 1234…cdef');
    assert.equal(networkName('sandbox'), 'sandbox');
  });

  it('groups thousands of the integer part only', () => {
    assert.equal(grouped('999'), '999');
    assert.equal(grouped('-1234567.123456'), '-1,234,567.123456');
    assert.equal(grouped(String(2n ** 64n)), '18,446,744,073,709,551,616');
  });

  it('formats times in UTC, and returns nothing for an invalid time', () => {
    assert.equal(utcTime(1705144835), '2024-01-13 11:20:35 UTC');
    assert.equal(utcTime(1e20), '');
  });
});
