import { invalidParams } from '../../evm/forms/json-rpc';
import type { RunningFork } from '../reads/running-fork';
import { known, methods, write, type Methods } from './fork-method';
import { addressOf } from './method-parameters';

const list = known(listAccounts);
/** The fork accepts any sender, so accounts need not be unlocked. */
const done = known(() => true);

/** Methods about the accounts that the fork lists. */
export const ACCOUNTS: Methods = methods({
  eth_accounts: list,
  eth_requestAccounts: list,
  personal_listAccounts: list,
  evm_addAccount: write(addAccount),
  evm_removeAccount: write(removeAccount),
  personal_unlockAccount: done,
  personal_lockAccount: done,
});

/** Addresses in lower case: first accounts whose keys the fork holds, then impersonated accounts in order of impersonation. */
function listAccounts({ keys, writer }: RunningFork): string[] {
  return [...new Set([...keys.addresses, ...writer.impersonated])];
}

/** Default sender of transactions, as in anvil. @throws RpcError -32602 if the fork lists no account */
export function firstAccount(fork: RunningFork): string {
  const [first] = listAccounts(fork);
  if (first !== undefined) return first;
  throw invalidParams('from', undefined, 'an address: this fork has no accounts of its own');
}

/** Same as Ganache, without its password: the account is impersonated. @returns false if the fork lists it already */
async function addAccount(fork: RunningFork, [account]: readonly unknown[]): Promise<boolean> {
  const address = addressOf('the account', account);
  if (listAccounts(fork).includes(address)) return false;
  await fork.writer.change({ method: 'anvil_impersonateAccount', params: [address] });
  return true;
}

/** @returns false if the account is not impersonated. Accounts whose keys the fork holds are not removed */
async function removeAccount(
  { writer }: RunningFork,
  [account]: readonly unknown[],
): Promise<boolean> {
  const address = addressOf('the account', account);
  if (!writer.impersonated.includes(address)) return false;
  await writer.change({ method: 'anvil_stopImpersonatingAccount', params: [address] });
  return true;
}
