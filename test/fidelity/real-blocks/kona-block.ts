import { createBlock } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import {
  bytesToHex,
  createAccount,
  hexToBytes,
  KECCAK256_NULL,
  MapDB,
  ValueEncoding,
} from '@ethereumjs/util';
import { keccak256 } from 'ethers';
import type { Address, Hash } from '../../../server/api/primitives';
import { EMPTY_ROOT, type StateTrie } from '../../support/state-trie';
import type { PlannedAccount } from '../reference/plan';
import { ReferenceState, type AccountState, type WorldState } from '../reference/state';
import type { KonaBlock } from './kona-files';
import { LoadingState } from './loading-state';
import { executeOpBlock, parentBlock } from './op-execution';
import type { ParentReader, RealBlock } from './real-block';

/**
 * Executes a block, and proves the execution by the hash of its header.
 * @throws Error if the hash differs
 */
export async function provedKonaBlock(stored: KonaBlock): Promise<RealBlock> {
  const alloc = await accountsRead(stored);
  const filled = async (common: Common): Promise<ReferenceState> => {
    const state = new ReferenceState({ common });
    await state.fill(alloc);
    return state;
  };
  const { transactions, common, header } = await executeOpBlock(stored, filled, true);
  const { trie, chainId, parent } = stored;
  const state = transactions.at(-1)!.after;
  const stateRoot = await rootAfter(trie, alloc, state);
  const options = { common, skipConsensusFormatValidation: true };
  const block = createBlock({ header: { ...header, stateRoot }, withdrawals: [] }, options);
  const hash = bytesToHex(block.hash());
  if (hash !== stored.hash) throw new Error(`the block is ${hash} instead of ${stored.hash}`);
  return {
    slug: `block-${Number(parent['number']) + 1}`,
    chainId,
    hardfork: 'cancun',
    coinbase: block.header.coinbase.toString(),
    answered: { block, hash },
    parentHeader: {
      ...parent,
      hash: bytesToHex(parentBlock(stored, common).hash()),
      size: '0x0',
      uncles: [],
      withdrawals: [],
      transactions: [],
    },
    transactions,
    state,
    parent: readerOf(trie),
  };
}

/** Executes the block once to find out what it reads. */
async function accountsRead(stored: KonaBlock): Promise<Record<Address, PlannedAccount>> {
  let loading: LoadingState | undefined;
  const open = (common: Common): Promise<ReferenceState> => {
    loading = new LoadingState({ common }, stored.trie);
    return Promise.resolve(loading);
  };
  await executeOpBlock(stored, open, false);
  const loaded = Object.entries(loading?.loaded ?? {});
  return Object.fromEntries(loaded.filter(([, { balance }]) => balance !== undefined));
}

const readerOf = (trie: StateTrie): ParentReader => ({
  balance: (address) => trie.account(address)?.balance ?? 0n,
  nonce: (address) => trie.account(address)?.nonce ?? 0,
  code: (address) => trie.code(address),
  slot: (address, slot) => trie.slot(address, slot),
});

/** Root of the state in which only these accounts may differ from the parent's. */
async function rootAfter(
  trie: StateTrie,
  before: Readonly<Record<Address, PlannedAccount>>,
  after: WorldState,
): Promise<Uint8Array> {
  const open = (from: Hash) =>
    createMPT({
      db: new MapDB(new Map(trie.values)),
      root: hexToBytes(from),
      useKeyHashing: true,
      valueEncoding: ValueEncoding.Bytes,
    });
  const accounts = await open(trie.root);
  for (const address of new Set([...Object.keys(before), ...after.keys()]) as Set<Address>) {
    const is: AccountState | undefined = after.get(address);
    const key = hexToBytes(address);
    if (!is) {
      if (before[address]) await accounts.del(key);
      continue;
    }
    const was = before[address]?.storage ?? {};
    const storage = await open(trie.account(address)?.storageRoot ?? EMPTY_ROOT);
    for (const slot of new Set([...Object.keys(was), ...is.storage.keys()]) as Set<Hash>) {
      const value = BigInt(is.storage.get(slot) ?? 0);
      if (value === BigInt(was[slot] ?? 0)) continue;
      if (value === 0n) await storage.del(hexToBytes(slot));
      else await storage.put(hexToBytes(slot), RLP.encode(value));
    }
    const codeHash = is.code === '0x' ? KECCAK256_NULL : hexToBytes(keccak256(is.code) as Hash);
    const { nonce, balance } = is;
    const written = { nonce: BigInt(nonce), balance, storageRoot: storage.root(), codeHash };
    await accounts.put(key, createAccount(written).serialize());
  }
  return accounts.root();
}
