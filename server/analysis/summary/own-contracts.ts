import { encodeRlp, keccak256, toBeArray } from 'ethers';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { Scene } from './scene';

/** Earlier creations of an account that are looked for, the newest first; one takes some 20 microseconds. */
const MAX_CREATIONS = 1_000;
const CREATIONS_PER_YIELD = 64;
/** EIP-2681: larger ones are not of a chain. */
const MAX_NONCE = 2n ** 64n - 2n;

/**
 * The sender and the contracts that it created: in this transaction, itself or by such a contract, and the called one if the sender created
 * it before. A contract that an existing factory creates is the factory's, whoever asked for it.
 * @param nonce of the transaction
 */
export function* ownAccountsWork(
  { root, created }: Pick<Scene, 'root' | 'created'>,
  nonce: bigint,
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
function* isCreatorWork(account: Address, contract: Address, nonce: bigint): Work<boolean> {
  if (nonce > MAX_NONCE) return false;
  for (let back = 1; back <= MAX_CREATIONS && BigInt(back) <= nonce; back++) {
    if (back % CREATIONS_PER_YIELD === 0) yield CREATIONS_PER_YIELD;
    const created = keccak256(encodeRlp([account, toBeArray(nonce - BigInt(back))]));
    if (created.endsWith(contract.slice(2))) return true;
  }
  return false;
}
