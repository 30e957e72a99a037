import type { Block } from '@ethereumjs/block';
import { genTransactionsTrieRoot } from '@ethereumjs/block';
import type { GenesisState } from '@ethereumjs/common';
import { createMPT, genesisMPTStateRoot } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { Bloom, encodeReceipt, type TxReceipt } from '@ethereumjs/vm';
import { toQuantity } from '../../../server/evm/forms/quantity';
import type { WorldState } from './state';

/** Header fields that depend on a block's transactions and receipts, and on the state after it. */
export interface BlockRoots {
  transactionsTrie: Uint8Array;
  receiptTrie: Uint8Array;
  logsBloom: Uint8Array;
  stateRoot: Uint8Array;
}

export async function blockRoots(
  transactions: Block['transactions'],
  receipts: readonly TxReceipt[],
  state: WorldState,
): Promise<BlockRoots> {
  const bloom = new Bloom();
  const trie = await createMPT();
  for (const [index, receipt] of receipts.entries()) {
    bloom.or(new Bloom(receipt.bitvector));
    const type = transactions[index]?.type ?? 0;
    await trie.put(RLP.encode(index), encodeReceipt(receipt, type));
  }
  return {
    transactionsTrie: await genTransactionsTrieRoot(transactions),
    receiptTrie: trie.root(),
    logsBloom: bloom.bitvector,
    stateRoot: await genesisMPTStateRoot(genesisOf(state)),
  };
}

function genesisOf(state: WorldState): GenesisState {
  const genesis: GenesisState = {};
  for (const [address, { balance, nonce, code, storage }] of state) {
    genesis[address] = [toQuantity(balance), code, [...storage], toQuantity(nonce)];
  }
  return genesis;
}
