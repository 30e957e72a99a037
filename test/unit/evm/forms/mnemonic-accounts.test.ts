import assert from 'node:assert/strict';
import {
  mnemonicAccounts,
  MnemonicKeys,
  TEST_KEYS,
  TEST_MNEMONIC,
} from '../../../../server/evm/forms/mnemonic-accounts';

describe('keys of a mnemonic', () => {
  it('match the addresses', () => {
    const accounts = mnemonicAccounts(TEST_MNEMONIC, 10);
    const addresses = accounts.map(({ address }) => address.toLowerCase());
    assert.deepEqual(TEST_KEYS.addresses, addresses);
    for (const [index, address] of addresses.entries()) {
      assert.equal(TEST_KEYS.signerOf(address)?.privateKey, accounts[index]?.privateKey);
    }
  });

  it('are undefined for other addresses', () => {
    assert.equal(TEST_KEYS.signerOf(`0x${'9'.repeat(40)}`), undefined);
    assert.equal(new MnemonicKeys('not derived', []).signerOf('0x'), undefined);
  });
});
