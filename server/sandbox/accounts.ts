import { HDNodeWallet, Mnemonic } from 'ethers';
import type { Address } from '../api/primitives';

/** Published with every development node: whoever sends real money to these accounts loses it. */
const MNEMONIC = 'test test test test test test test test test test test junk';

/** Who acts in the sandbox, in the order of the mnemonic's accounts. */
const NAMES = ['deployer', 'alice', 'bob', 'carol', 'mallory', 'reporter'] as const;

export type AccountName = (typeof NAMES)[number];
export type Accounts = Readonly<Record<AccountName, HDNodeWallet>>;

/** The same keys on every machine (BIP-44 path `m/44'/60'/0'/0/i`). */
export function deriveAccounts(): Accounts {
  const parent = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(MNEMONIC), "m/44'/60'/0'/0");
  const entries = NAMES.map((name, index) => [name, parent.deriveChild(index)] as const);
  return Object.fromEntries(entries) as Record<AccountName, HDNodeWallet>;
}

/** ethers writes addresses with checksums; here they are lower case. */
export const lowerCase = (address: string): Address => address.toLowerCase() as Address;
