import { HDNodeWallet, Mnemonic } from 'ethers';

/** Published with every development node: whoever sends real money to its accounts loses it. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * The first accounts of a mnemonic (BIP-39), by the path `m/44'/60'/0'/0/i` (BIP-44).
 * @throws TypeError for a phrase that is no mnemonic
 */
export function mnemonicAccounts(phrase: string, count: number): readonly HDNodeWallet[] {
  const parent = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), "m/44'/60'/0'/0");
  return Array.from({ length: count }, (_, index) => parent.deriveChild(index));
}

/** Whether a phrase is an English mnemonic of BIP-39: the words, their number and the checksum. */
export const isMnemonic = (phrase: string): boolean => Mnemonic.isValidMnemonic(phrase);
