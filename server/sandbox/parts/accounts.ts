import type { HDNodeWallet } from 'ethers';
import type { Address } from '../../api/primitives';
import { mnemonicAccounts, TEST_MNEMONIC } from '../../evm/forms/mnemonic-accounts';

/** Actors of the sandbox, in the order of the mnemonic's accounts. */
const NAMES = ['deployer', 'alice', 'bob', 'carol', 'mallory', 'reporter'] as const;

export type AccountName = (typeof NAMES)[number];
export type Accounts = Readonly<Record<AccountName, HDNodeWallet>>;

/** Derives the accounts. Their keys are the same on every machine. */
export function deriveAccounts(): Accounts {
  const accounts = mnemonicAccounts(TEST_MNEMONIC, NAMES.length);
  const entries = NAMES.map((name, index) => [name, accounts[index]] as const);
  return Object.fromEntries(entries) as Record<AccountName, HDNodeWallet>;
}

/** Removes the checksum of an address from ethers. */
export const lowerCase = (address: string): Address => address.toLowerCase() as Address;
