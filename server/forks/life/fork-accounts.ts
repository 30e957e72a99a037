import { invalidSecret } from '../../api/errors';
import type { ForkAccounts } from '../../api/fork';
import { isDelegation } from '../../evm/forms/authorizations';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import {
  isMnemonic,
  mnemonicAccounts,
  MnemonicKeys,
  NO_KEYS,
  TEST_KEYS,
  TEST_MNEMONIC,
} from '../../evm/forms/mnemonic-accounts';
import { toQuantity } from '../../evm/forms/quantity';
import { rpcChainIdOf, type ForkRecord, type RecordedAccounts } from './fork-record';

const COUNT = 10;
/** Same as anvil. */
const BALANCE = toQuantity(10_000n * 10n ** 18n);
/** Chain ids of development nodes (geth; Hardhat and anvil), which hold nothing of value. */
const DEVELOPMENT_CHAINS: ReadonlySet<number> = new Set([1337, 31337]);

/** The keys that a fork holds. */
export function keysOf({ accounts = 'none' }: Pick<ForkRecord, 'accounts'>): MnemonicKeys {
  if (accounts === 'none') return NO_KEYS;
  if (accounts === 'test') return TEST_KEYS;
  return new MnemonicKeys(accounts.mnemonic, accounts.addresses);
}

/**
 * Converts the requested accounts of a new fork.
 * @throws ApiError invalidField for an invalid mnemonic; the message does not contain its words
 */
export function acceptedAccounts(asked: ForkAccounts): RecordedAccounts {
  if (typeof asked === 'string') return asked;
  const mnemonic = asked.mnemonic.trim().split(/\s+/).join(' ').toLowerCase();
  if (mnemonic === TEST_MNEMONIC) return 'test';
  if (!isMnemonic(mnemonic)) {
    throw invalidSecret(
      'accounts.mnemonic',
      'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words with a valid checksum',
    );
  }
  const accounts = mnemonicAccounts(mnemonic, COUNT);
  return { mnemonic, addresses: accounts.map(({ address }) => address.toLowerCase()) };
}

/** Warnings for the owner of a fork about the keys that it holds. */
export function accountWarnings(
  record: Pick<ForkRecord, 'chainId' | 'antiReplay' | 'accounts'>,
): string[] {
  const { accounts = 'none', chainId } = record;
  if (accounts === 'none') return [];
  if (accounts !== 'test') {
    return [
      "anyone with the fork's RPC address can sign with its keys: use a mnemonic that holds no value on any chain",
    ];
  }
  if (rpcChainIdOf(record) !== chainId || DEVELOPMENT_CHAINS.has(chainId)) return [];
  return [
    `the keys of the fork's accounts are public, and their signatures are valid on chain ${chainId} itself: send these accounts no value there, and do not use their keys there`,
  ];
}

/** Warning for the owner about accounts whose delegation was removed. */
export const delegationWarning = (addresses: readonly string[]): string =>
  `on the chain, the code of these accounts is a delegation (EIP-7702); on the fork, they have no code: ${addresses.join(', ')}`;

/**
 * Sets the balance of each account. A delegation (EIP-7702) that it has on the chain is removed, so that it behaves as a plain account: the
 * accounts of the test mnemonic have delegations on public chains, to code that forwards whatever they receive.
 * @param codes code of the accounts, in the same order
 * @returns addresses of the accounts that had a delegation
 */
export async function fundAccounts(
  engine: RpcClient,
  addresses: readonly string[],
  codes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const delegated = addresses.filter((_, index) => isDelegation(codes[index]));
  await requestEach(
    engine,
    [
      ...addresses.map((address) => ({ method: 'anvil_setBalance', params: [address, BALANCE] })),
      ...delegated.map((address) => ({ method: 'anvil_setCode', params: [address, '0x'] })),
    ],
    { signal },
  );
  return delegated;
}
