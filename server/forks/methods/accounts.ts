import { invalidParams } from '../../ethereum/json-rpc';
import type { RunningFork } from '../reads/running-fork';
import { known, methods, write, type Methods } from './fork-method';
import { addressOf } from './method-parameters';

const list = known(listAccounts);
/** Every sender is accepted: accounts need not be unlocked. */
const done = known(() => true);

/** Which accounts the fork names. */
export const ACCOUNTS: Methods = methods({
  eth_accounts: list,
  eth_requestAccounts: list,
  personal_listAccounts: list,
  evm_addAccount: write(addAccount),
  evm_removeAccount: write(removeAccount),
  personal_unlockAccount: done,
  personal_lockAccount: done,
});

/** Addresses in lower case: those whose keys the fork holds, then those that are impersonated, in the order in which they came. */
function listAccounts({ keys, node }: RunningFork): string[] {
  return [...new Set([...keys.addresses, ...node.impersonated])];
}

/** The sender of transactions that name none, as in anvil. @throws RpcError -32602 where the fork names no account */
export function firstAccount(fork: RunningFork): string {
  const [first] = listAccounts(fork);
  if (first !== undefined) return first;
  throw invalidParams('from', undefined, 'an address: this fork has no accounts of its own');
}

/** As in Ganache, without its password: the account is impersonated. @returns false where the fork names it already */
async function addAccount(fork: RunningFork, [account]: readonly unknown[]): Promise<boolean> {
  const address = addressOf('the account', account);
  if (listAccounts(fork).includes(address)) return false;
  await fork.node.change({ method: 'anvil_impersonateAccount', params: [address] });
  return true;
}

/** @returns false where it is not impersonated; those whose keys the fork holds stay */
async function removeAccount(
  { node }: RunningFork,
  [account]: readonly unknown[],
): Promise<boolean> {
  const address = addressOf('the account', account);
  if (!node.impersonated.includes(address)) return false;
  await node.change({ method: 'anvil_stopImpersonatingAccount', params: [address] });
  return true;
}
