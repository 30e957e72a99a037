import type { HDNodeWallet } from 'ethers';
import type { Address } from '../api/primitives';
import { mnemonicAccounts, TEST_MNEMONIC } from '../ethereum/mnemonic-accounts';

/** Who acts in the sandbox, in the order of the mnemonic's accounts. */
const NAMES = ['deployer', 'alice', 'bob', 'carol', 'mallory', 'reporter'] as const;

export type AccountName = (typeof NAMES)[number];
export type Accounts = Readonly<Record<AccountName, HDNodeWallet>>;

/** The same keys on every machine. */
export function deriveAccounts(): Accounts {
  const accounts = mnemonicAccounts(TEST_MNEMONIC, NAMES.length);
  const entries = NAMES.map((name, index) => [name, accounts[index]] as const);
  return Object.fromEntries(entries) as Record<AccountName, HDNodeWallet>;
}

/** ethers writes addresses with checksums; here they are lower case. */
export const lowerCase = (address: string): Address => address.toLowerCase() as Address;
