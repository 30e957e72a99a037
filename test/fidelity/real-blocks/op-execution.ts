import { createBlock, type Block, type HeaderData } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet, type Common } from '@ethereumjs/common';
import type { EVMMockBlockchainInterface } from '@ethereumjs/evm';
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, createAddressFromString, hexToBytes, type KZG } from '@ethereumjs/util';
import { Bloom, createVM } from '@ethereumjs/vm';
import type { Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import type { RpcBlockHeader } from '../../../server/evm/forms/types';
import { baseFeeRuleOf, nextBaseFee } from '../../../server/evm/families/op-stack/next-base-fee';
import { EMPTY_ROOT } from '../../support/state-trie';
import type { ReferenceState } from '../reference/state';
import type { KonaBlock } from './kona-files';
import { OpRun } from './op-run';
import type { RealExecuted } from './real-block';

const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const RING = 8191n;

export interface OpExecution {
  transactions: readonly RealExecuted[];
  common: Common;
  /** Without the root of the state. */
  header: HeaderData;
}

/** Executes a block of Holocene by its transactions alone. @param isRecorded whether calls are recorded, which takes much longer */
export async function executeOpBlock(
  stored: KonaBlock,
  stateOf: (common: Common) => Promise<ReferenceState>,
  isRecorded: boolean,
): Promise<OpExecution> {
  const { chainId, payload } = stored;
  const customCrypto = { kzg: {} as KZG };
  const hardfork = Hardfork.Cancun;
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork, customCrypto });
  const state = await stateOf(common);
  const parentHash = bytesToHex(parentBlock(stored, common).hash());
  const header = openHeader(stored, parentHash);
  const block = createBlock({ header }, { common, skipConsensusFormatValidation: true });
  const blockchain: EVMMockBlockchainInterface = {
    getBlock: (at) => {
      if (BigInt(at) !== block.header.number - 1n) {
        throw new Error(`the hash of block ${String(at)} is not known`);
      }
      return Promise.resolve({ hash: () => hexToBytes(parentHash) });
    },
    putBlock: () => Promise.resolve(),
    shallowCopy: () => blockchain,
  };
  const vm = await createVM({ common, stateManager: state, blockchain });
  await writeBeaconRoot(state, block);
  const run = new OpRun(vm, state, block, isRecorded);
  for (const raw of payload.transactions) await run.execute(raw);
  const bloom = new Bloom();
  for (const { bits } of run.receipts) bloom.or(new Bloom(bits));
  const closed: HeaderData = {
    ...header,
    gasUsed: run.gasUsed,
    transactionsTrie: await listRoot(payload.transactions.map(hexToBytes)),
    receiptTrie: await listRoot(run.receipts.map(({ encoded }) => encoded)),
    logsBloom: bloom.bitvector,
  };
  return { transactions: run.executed, common, header: closed };
}

/** The parent, whose fixture has its header as a node answers it. */
export function parentBlock({ parent }: KonaBlock, common: Common): Block {
  const { sha3Uncles, miner, receiptsRoot, transactionsRoot, ...same } = parent;
  const header = {
    ...same,
    uncleHash: sha3Uncles,
    coinbase: miner,
    receiptTrie: receiptsRoot,
    transactionsTrie: transactionsRoot,
  } as HeaderData;
  return createBlock({ header }, { common, skipConsensusFormatValidation: true });
}

function openHeader({ chainId, parent, payload }: KonaBlock, parentHash: Hex): HeaderData {
  const before = parent as unknown as RpcBlockHeader;
  const rule = baseFeeRuleOf(chainId, before);
  if (!rule) throw new Error('the parent does not show how the base fee changes');
  return {
    number: BigInt(parent['number']!) + 1n,
    parentHash,
    timestamp: payload.timestamp,
    coinbase: payload.suggestedFeeRecipient,
    gasLimit: payload.gasLimit,
    mixHash: payload.prevRandao,
    difficulty: 0n,
    baseFeePerGas: nextBaseFee(rule, before),
    excessBlobGas: 0n,
    blobGasUsed: 0n,
    parentBeaconBlockRoot: payload.parentBeaconBlockRoot,
    extraData: `0x00${payload.eip1559Params.slice(2)}`,
    withdrawalsRoot: EMPTY_ROOT,
  };
}

/** EIP-4788. */
async function writeBeaconRoot(state: ReferenceState, { header }: Block): Promise<void> {
  const contract = createAddressFromString(BEACON_ROOTS);
  const root = header.parentBeaconBlockRoot;
  if ((await state.getCode(contract)).length === 0 || root === undefined) return;
  const put = (slot: bigint, value: Uint8Array): Promise<void> =>
    state.putStorage(contract, hexToBytes(toWord(slot)), value);
  await put(header.timestamp % RING, hexToBytes(toQuantity(header.timestamp)));
  await put((header.timestamp % RING) + RING, root);
}

async function listRoot(items: readonly Uint8Array[]): Promise<Uint8Array> {
  const trie = await createMPT();
  for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), item);
  return trie.root();
}
