import type { HDNodeWallet } from 'ethers';
import type { Address } from '../../../api/primitives';
import { mnemonicAccounts, TEST_MNEMONIC } from '../../../evm/forms/mnemonic-accounts';

/** Actors of the sandbox, in the order of the mnemonic's accounts. */
const FIRST = ['deployer', 'alice', 'bob', 'carol', 'mallory', 'reporter'] as const;

/** Those who receive their ether in the story, so that the first blocks stay as they are. */
const LATER = ['grace', 'heidi', 'ivan'] as const;

const NAMES = [...FIRST, ...LATER];

export type AccountName = (typeof NAMES)[number];
export type Accounts = Readonly<Record<AccountName, HDNodeWallet>>;

/** Derives the accounts. Their keys are the same on every machine. */
export function deriveAccounts(): Accounts {
  const accounts = mnemonicAccounts(TEST_MNEMONIC, NAMES.length);
  const entries = NAMES.map((name, index) => [name, accounts[index]] as const);
  return Object.fromEntries(entries) as Record<AccountName, HDNodeWallet>;
}

/** Addresses that receive ether before block 1. */
export const fundedAtFirst = (accounts: Accounts): Address[] =>
  FIRST.map((name) => lowerCase(accounts[name].address));

/** Removes the checksum of an address from ethers. */
export const lowerCase = (address: string): Address => address.toLowerCase() as Address;
