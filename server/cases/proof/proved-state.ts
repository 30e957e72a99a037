import { verifyMerkleProof } from '@ethereumjs/mpt';
import { decodeRlp, getBytes, keccak256 } from 'ethers';
import { ApiError } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import { Pauses } from '../../kernel/async/slices';
import { settledOneByOne, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { namedCall } from '../../chains/upstream/kept-client';
import { refusal } from '../container/container-head';
import type { CaseProof } from './proof-schema';

interface ProvedAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Hex;
  readonly slots: ReadonlyMap<bigint, bigint>;
}

/** Of an empty trie, and of empty code. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** Accounts whose proofs fit the state root of a block. */
export type ProvedAccounts = ReadonlyMap<Address, ProvedAccount>;

/**
 * Checks the proof of each account, slot and code.
 * @param root of the state
 * @throws ApiError `caseRefused` for the first that does not fit
 */
export async function provedAccounts(
  { accounts, codes }: Pick<CaseProof, 'accounts' | 'codes'>,
  root: Hash,
  signal: AbortSignal,
): Promise<ProvedAccounts> {
  const pauses = new Pauses(signal);
  const proved = new Map<Address, ProvedAccount>();
  for (const { address, accountProof, storageProof } of accounts) {
    const value = await provedValue(address, accountProof, root, `the account ${address}`);
    const [nonce = '0x', balance = '0x', storageRoot = EMPTY_ROOT, codeHash = NO_CODE] =
      value === null ? [] : (decodeRlp(value) as string[]);
    const code = codes[address] ?? '0x';
    if (keccak256(code) !== codeHash) {
      throw refusal(`the code of ${address} does not have the hash that is proved`);
    }
    const slots = new Map<bigint, bigint>();
    for (const { key, proof } of storageProof) {
      const slot = toWord(BigInt(key));
      const what = `slot ${key} of ${address}`;
      const found =
        storageRoot === EMPTY_ROOT ? null : await provedValue(slot, proof, storageRoot, what);
      slots.set(BigInt(key), found === null ? 0n : numberOf(decodeRlp(found) as string));
      await pauses.ifDue();
    }
    proved.set(address, {
      nonce: numberOf(nonce),
      balance: numberOf(balance),
      code: code as Hex,
      slots,
    });
    await pauses.ifDue();
  }
  return proved;
}

/** @returns null: proved that there is none @throws ApiError `caseRefused` */
async function provedValue(
  key: string,
  proof: readonly string[],
  root: string,
  what: string,
): Promise<Uint8Array | null> {
  try {
    return await verifyMerkleProof(
      getBytes(key),
      proof.map((node) => getBytes(node)),
      { root: getBytes(root), useKeyHashing: true },
    );
  } catch {
    throw refusal(`the proof of ${what} is not one of the state of the block's parent`);
  }
}

const numberOf = (bytes: string): bigint => (bytes === '0x' ? 0n : BigInt(bytes));

/** A node that answers from proved state alone, as it is after one block. */
export class ProvedClient implements RpcClient {
  constructor(
    private readonly accounts: ProvedAccounts,
    /** Number of the block, hex. */
    private readonly number: Hex,
  ) {}

  /** @throws ApiError `upstreamLacksData` that names what is not proved */
  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    return Promise.resolve(this.#answer({ method, params }));
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls);
  }

  #answer({ method, params }: RpcCall): string {
    const [address, second, third] = params;
    const account = this.accounts.get(String(address).toLowerCase() as Address);
    const block = method === 'eth_getStorageAt' ? third : second;
    if (account && block === this.number) {
      switch (method) {
        case 'eth_getBalance':
          return toQuantity(account.balance);
        case 'eth_getTransactionCount':
          return toQuantity(account.nonce);
        case 'eth_getCode':
          return account.code;
        case 'eth_getStorageAt': {
          const value = account.slots.get(BigInt(String(second)));
          if (value !== undefined) return toWord(value);
        }
      }
    }
    throw new ApiError('upstreamLacksData', `${namedCall({ method, params })} is not proved`);
  }
}
