import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { requestInTurn } from './batches';
import { blockNumberOf } from './block-numbers';
import type { ForkRead, RunningFork } from './running-fork';

type Params = readonly unknown[];

/** Reads of the state that the engine answers in part, or not at all. */
export const STATE_READS: Readonly<Record<string, ForkRead>> = {
  eth_getStorageValues: readStorageValues,
  eth_getProof: readProof,
  eth_getAccount: readAccount,
};

/**
 * Converts a storage key to 32 bytes, as the engine requires.
 * @throws RpcError -32602 for more than 32 bytes, or if it is not hex
 */
function storageKey(key: unknown): string {
  if (typeof key === 'string' && /^0x[0-9a-f]{0,64}$/i.test(key)) {
    return toWord(key === '0x' ? 0n : BigInt(key));
  }
  throw invalidParams('the storage key', key, 'up to 32 bytes as hex');
}

/** `eth_getStorageValues [{ address: [key, …] }, block]`: at most 1,024 slots. */
async function readStorageValues(fork: RunningFork, params: Params): Promise<unknown> {
  const [requests, block = 'latest'] = params;
  const wanted = storageRequests(requests);
  const calls = wanted.flatMap(([address, keys]) =>
    keys.map((key) => ({ method: 'eth_getStorageAt', params: [address, key, block] })),
  );
  const values = await requestInTurn(fork.engine, calls);
  return Object.fromEntries(
    wanted.map(([address, keys]) => [address, values.splice(0, keys.length)]),
  );
}

function storageRequests(requests: unknown): [address: string, keys: string[]][] {
  if (typeof requests !== 'object' || requests === null || Array.isArray(requests)) {
    throw invalidParams('the request', requests, 'an object of addresses with arrays of keys');
  }
  const wanted = Object.entries(requests).map(([address, keys]): [string, string[]] => {
    if (!/^0x[0-9a-f]{40}$/i.test(address)) {
      throw invalidParams('the address', address, '0x and 40 hex digits');
    }
    if (!Array.isArray(keys)) throw invalidParams(`the keys of ${address}`, keys, 'an array');
    return [address, keys.map(storageKey)];
  });
  const count = wanted.reduce((sum, [, keys]) => sum + keys.length, 0);
  if (count > 0 && count <= LIMITS.storageValues) return wanted;
  throw invalidParams('the number of slots', count, `1 to ${LIMITS.storageValues}`);
}

/**
 * `eth_getProof` up to the fork point, from the forked chain's node. Above it there is no state trie: the engine has only the accounts that
 * it touched, and the state root of its blocks is zero.
 * @throws RpcError -32004 above the fork point
 */
async function readProof(fork: RunningFork, params: Params): Promise<unknown> {
  const [address, keys, block = 'latest'] = params;
  if (!Array.isArray(keys)) throw invalidParams('the storage keys', keys, 'an array of keys');
  const slots = keys.map(storageKey);
  const number = await knownBlock(fork, block);
  if (number > fork.forkBlock) {
    throw new RpcError(
      RPC_CODES.notSupported,
      `eth_getProof is available up to block ${fork.forkBlock}, the fork point: a fork has no state trie to prove later state`,
    );
  }
  const proof = await proofOf(fork, address, slots, number);
  // The result contains the keys as they were given.
  const storageProof = proof.storageProof?.map((one, index) => ({
    ...one,
    key: keys[index] as unknown,
  }));
  return { ...proof, storageProof };
}

/**
 * `eth_getAccount` of blocks before the fork point, from the forked chain's node. The engine knows a part of an account's slots, so that its
 * storage root is not the account's, and its answer for an account that it has not loaded is empty.
 * @throws RpcError -32004 at the fork point and above it
 */
async function readAccount(fork: RunningFork, params: Params): Promise<unknown> {
  const [address, block = 'latest'] = params;
  const number = await knownBlock(fork, block);
  if (number >= fork.forkBlock) {
    throw new RpcError(
      RPC_CODES.notSupported,
      `eth_getAccount is available before block ${fork.forkBlock}, the fork point: later storage roots are not known; eth_getAccountInfo has balance, nonce and code`,
    );
  }
  const { nonce, balance, storageHash, codeHash } = await proofOf(fork, address, [], number);
  return { nonce, balance, storageRoot: storageHash, codeHash };
}

interface AccountProof {
  nonce: string;
  balance: string;
  storageHash: string;
  codeHash: string;
  storageProof?: object[];
}

const proofOf = async (
  { upstream }: RunningFork,
  address: unknown,
  slots: readonly string[],
  block: number,
): Promise<AccountProof> =>
  (await upstream.request('eth_getProof', [address, slots, toQuantity(block)])) as AccountProof;

/** @throws RpcError -32001 for an unknown block */
async function knownBlock(fork: RunningFork, block: unknown): Promise<number> {
  const number = await blockNumberOf(fork, block);
  if (number !== undefined) return number;
  throw new RpcError(RPC_CODES.notFound, `block ${JSON.stringify(block)} not found`);
}
