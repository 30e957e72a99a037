import assert from 'node:assert/strict';
import { vyperVersion } from '../../../../server/contracts/sources/vyper-version';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
const word = '00'.repeat(31) + '2a';
/** As Vyper 0.3.7 ends its deployed code. */
const DEPLOYED = 'a165767970657283000307000b';
/** As Vyper 0.3.10 ends its creation code: length of the deployed code, of its data, of its immutables, and the version. */
const CREATION = '8418e880' + '1820' + 'a16576797065728300030a0012';

describe('version of Vyper in code', () => {
  it('is at the end of deployed code, or before its immutables', () => {
    assert.equal(vyperVersion(bytes(`6001${DEPLOYED}`)), '0.3.7');
    assert.equal(vyperVersion(bytes(`6001${DEPLOYED}${word}${word}`)), '0.3.7');
  });

  it('is at the end of creation code, or before the arguments', () => {
    assert.equal(vyperVersion(bytes(`6001${CREATION}`)), '0.3.10');
    assert.equal(vyperVersion(bytes(`6001${CREATION}${word}`)), '0.3.10');
  });

  it('is not guessed', () => {
    for (const hex of [
      '',
      '6001',
      'a26469706673582212',
      // The metadata of another contract's code, which this one deploys.
      `6001${DEPLOYED}6001`,
      // Cut off, and a number that takes another byte.
      'a1657679706572830003',
      'a165767970657283000318000b',
    ]) {
      assert.equal(vyperVersion(bytes(hex)), undefined, hex);
    }
  });
});
