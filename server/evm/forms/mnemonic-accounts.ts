import { HDNodeWallet, Mnemonic } from 'ethers';

/** Published with every development node: real funds that are sent to its accounts are lost. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';

/** Its first accounts, in lower case. */
const TEST_ADDRESSES: readonly string[] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
];

/** BIP-44: the parent of `m/44'/60'/0'/0/i`. */
const parentOf = (phrase: string): HDNodeWallet =>
  HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), "m/44'/60'/0'/0");

/**
 * The first accounts of a mnemonic (BIP-39), by the path `m/44'/60'/0'/0/i` (BIP-44).
 * @throws TypeError for an invalid mnemonic
 */
export function mnemonicAccounts(phrase: string, count: number): readonly HDNodeWallet[] {
  const parent = parentOf(phrase);
  return Array.from({ length: count }, (_, index) => parent.deriveChild(index));
}

/** Whether a phrase is a valid English mnemonic of BIP-39: its words, their number and the checksum. */
export const isMnemonic = (phrase: string): boolean => Mnemonic.isValidMnemonic(phrase);

/** Keys of accounts with known addresses. Each key is derived on first use, since derivation is slow. */
export class MnemonicKeys {
  #parent: HDNodeWallet | undefined;
  readonly #signers = new Map<number, HDNodeWallet>();

  /** @param addresses of the mnemonic's first accounts, in lower case */
  constructor(
    private readonly phrase: string,
    readonly addresses: readonly string[],
  ) {}

  /** @param address in lower case @returns undefined for accounts without a key */
  signerOf(address: string): HDNodeWallet | undefined {
    const index = this.addresses.indexOf(address);
    if (index === -1) return undefined;
    let signer = this.#signers.get(index);
    if (!signer) {
      this.#parent ??= parentOf(this.phrase);
      signer = this.#parent.deriveChild(index);
      this.#signers.set(index, signer);
    }
    return signer;
  }
}

export const NO_KEYS = new MnemonicKeys('', []);
export const TEST_KEYS = new MnemonicKeys(TEST_MNEMONIC, TEST_ADDRESSES);
