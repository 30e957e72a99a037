import { createBlock, type BlockHeader } from '@ethereumjs/block';
import { getMerkleStateProof, type MerkleStateManager } from '@ethereumjs/statemanager';
import {
  bytesToHex,
  createAddressFromString,
  hexToBytes,
  setLengthLeft,
  type Address as AddressObject,
} from '@ethereumjs/util';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import { MethodMissing, type AnswerCall } from '../node-server';
import {
  blockAnswer,
  logAnswers,
  receiptAnswer,
  transactionAnswer,
  type AnsweredBlock,
  type AnsweredTransaction,
} from '../reference/node-answers';
import type { ExecutedChain } from './executed-chain';

interface LogFilter {
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
  address?: Address | Address[] | null;
  topics?: (Hash | Hash[] | null)[] | null;
}

type ReadState = (state: MerkleStateManager, account: AddressObject, slot: Hex) => Promise<unknown>;

const STATE_READS: Readonly<Record<string, ReadState>> = {
  eth_getBalance: async (state, account) =>
    toQuantity((await state.getAccount(account))?.balance ?? 0n),
  eth_getTransactionCount: async (state, account) =>
    toQuantity((await state.getAccount(account))?.nonce ?? 0n),
  eth_getCode: async (state, account) => bytesToHex(await state.getCode(account)),
  eth_getStorageAt: async (state, account, slot) => {
    const value = await state.getStorage(account, hexToBytes(toWord(BigInt(slot))));
    return bytesToHex(setLengthLeft(value, 32));
  },
};

/** Answers like an archive node of the chain, without debug API. */
export function answersOf(chain: ExecutedChain): AnswerCall {
  const { blocks } = chain;
  const blockAt = (at: unknown): AnsweredBlock | undefined => findBlock(blocks, at);
  const stateAt = (at: unknown): Promise<MerkleStateManager> => {
    const block = blockAt(at);
    if (!block) throw new Error('header not found');
    return chain.stateAfter(block);
  };
  const find = (
    hash: unknown,
    describe: (one: AnsweredTransaction, block: AnsweredBlock) => unknown,
  ): unknown => {
    for (const block of blocks) {
      const found = block.transactions.find(({ transaction }) => transaction.hash === hash);
      if (found) return describe(found, block);
    }
    return null;
  };
  return async (method, params) => {
    const [first, second, third] = params;
    const read = STATE_READS[method];
    if (read) {
      const isSlot = method === 'eth_getStorageAt';
      const state = await stateAt(isSlot ? third : second);
      return read(
        state,
        createAddressFromString(first as string),
        isSlot ? (second as Hex) : '0x0',
      );
    }
    switch (method) {
      case 'eth_chainId':
        return toQuantity(chain.chainId);
      case 'net_version':
        return String(chain.chainId);
      case 'web3_clientVersion':
        return 'execution-apis/1';
      case 'eth_blockNumber':
        return toQuantity(blocks.length - 1);
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash': {
        const block = blockAt(first);
        return block ? blockAnswer(block, second === true) : null;
      }
      case 'eth_getBlockReceipts': {
        const block = blockAt(first);
        return block?.transactions.map((one) => receiptAnswer(one, block)) ?? null;
      }
      case 'eth_getTransactionByBlockNumberAndIndex':
      case 'eth_getTransactionByBlockHashAndIndex': {
        const block = blockAt(first);
        const one = block?.transactions[Number(second)];
        return block && one ? transactionAnswer(one, block) : null;
      }
      case 'eth_getUncleByBlockNumberAndIndex':
      case 'eth_getUncleByBlockHashAndIndex':
        return uncleAnswer(blockAt(first)?.block.uncleHeaders[Number(second)]);
      case 'eth_getTransactionByHash':
        return find(first, transactionAnswer);
      case 'eth_getTransactionReceipt':
        return find(first, receiptAnswer);
      case 'eth_getLogs':
        return logsOf(blocks, first as LogFilter);
      case 'eth_getProof':
        return proofOf(await stateAt(third), first as string, second as Hex[]);
    }
    throw new MethodMissing(method);
  };
}

/** An uncle has the form of a block without a body. */
function uncleAnswer(header: BlockHeader | undefined): object | null {
  if (!header) return null;
  const options = { common: header.common, skipConsensusFormatValidation: true };
  const block = createBlock({ header: header.toJSON() }, options);
  return blockAnswer({ block, hash: bytesToHex(block.hash()), transactions: [] }, false);
}

function findBlock(blocks: readonly AnsweredBlock[], at: unknown): AnsweredBlock | undefined {
  if (typeof at === 'object' && at !== null) {
    const { blockHash, blockNumber } = at as { blockHash?: string; blockNumber?: string };
    return findBlock(blocks, blockHash ?? blockNumber);
  }
  const named = at ?? 'latest';
  if (typeof named !== 'string') return undefined;
  if (named.length === 66) return blocks.find(({ hash }) => hash === named);
  if (named === 'earliest') return blocks[0];
  return named.startsWith('0x') ? blocks[Number(named)] : blocks.at(-1);
}

function logsOf(blocks: readonly AnsweredBlock[], filter: LogFilter): unknown[] {
  const { blockHash, fromBlock, toBlock, topics, address } = filter;
  const [from, to] = [fromBlock, toBlock].map((at) => findBlock(blocks, blockHash ?? at));
  if (!from || !to) throw new Error('unknown block');
  const wanted = [address ?? []].flat();
  return blocks
    .slice(blocks.indexOf(from), blocks.indexOf(to) + 1)
    .flatMap((block) => block.transactions.flatMap((one) => logAnswers(one, block)))
    .filter((log) => wanted.length === 0 || wanted.some((one) => isEqualText(one, log.address)))
    .filter((log) =>
      (topics ?? []).every((topic, i) => {
        const any = [topic ?? []].flat();
        return any.length === 0 || any.includes(log.topics[i]!);
      }),
    );
}

const isEqualText = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Slots that were requested in a short form are returned in the shortest form. */
async function proofOf(
  state: MerkleStateManager,
  account: string,
  slots: readonly Hex[],
): Promise<object> {
  const keys = slots.map((slot) => hexToBytes(toWord(BigInt(slot))));
  const proof = await getMerkleStateProof(state, createAddressFromString(account), keys);
  return {
    ...proof,
    balance: toQuantity(BigInt(proof.balance)),
    nonce: toQuantity(BigInt(proof.nonce)),
    storageProof: proof.storageProof.map((one, i) => ({
      ...one,
      key: slots[i]!.length === 66 ? slots[i] : toQuantity(BigInt(slots[i]!)),
      value: toQuantity(one.value === '0x' ? 0n : BigInt(one.value)),
    })),
  };
}
