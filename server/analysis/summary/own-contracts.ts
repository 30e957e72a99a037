import { encodeRlp, keccak256, toBeArray } from 'ethers';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { Scene } from './scene';

/** Earlier creations of an account that are looked for, the newest first; one takes some 20 microseconds. */
const MAX_CREATIONS = 1_000;
const CREATIONS_PER_YIELD = 64;

/**
 * The sender and the contracts that it created: in this transaction, itself or by such a contract, and the called one if the sender created
 * it before. A contract that an existing factory creates is the factory's, whoever asked for it.
 * @param nonce of the transaction
 */
export function* ownAccountsWork(
  { root, created }: Pick<Scene, 'root' | 'created'>,
  nonce: number,
): Work<ReadonlySet<Address>> {
  const own = new Set<Address>([root.from]);
  if (root.to !== null && !created.has(root.to)) {
    if (yield* isCreatorWork(root.from, root.to, nonce)) own.add(root.to);
  }
  // In execution order, so that a creator is known before what it creates.
  for (const [address, { frame }] of created) {
    if (own.has(frame.from)) own.add(address);
  }
  return own;
}

/** Whether an account created a contract by one of its last transactions: its address is made of the account and the nonce. */
function* isCreatorWork(account: Address, contract: Address, nonce: number): Work<boolean> {
  const last = Math.max(0, nonce - MAX_CREATIONS);
  for (let one = nonce - 1; one >= last; one--) {
    if (one % CREATIONS_PER_YIELD === 0) yield CREATIONS_PER_YIELD;
    if (keccak256(encodeRlp([account, toBeArray(one)])).endsWith(contract.slice(2))) return true;
  }
  return false;
}
