import type { Block } from '@ethereumjs/block';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { Bloom } from '@ethereumjs/vm';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import type { Executed, PlayedBlock } from './chain';

/** Facts of a transaction that a node returns. */
export interface AnsweredTransaction extends Omit<
  Executed,
  'raw' | 'tip' | 'root' | 'instructions' | 'before' | 'steps' | 'after'
> {
  /** Set in receipts before Byzantium, instead of the status. */
  stateRoot?: Hash | undefined;
}

export interface AnsweredBlock {
  block: Block;
  hash: Hash;
  transactions: readonly AnsweredTransaction[];
}

/** Result of `eth_getBlockByNumber`. @param full whether it contains transactions instead of hashes */
export function blockAnswer(answered: AnsweredBlock, full: boolean): object {
  const { block, hash, transactions } = answered;
  const json = block.header.toJSON();
  const { baseFeePerGas, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } = json;
  const { blockAccessListHash, slotNumber } = json;
  const { withdrawals } = block.toJSON();
  return {
    number: toQuantity(block.header.number),
    hash,
    parentHash: json.parentHash,
    nonce: json.nonce,
    sha3Uncles: json.uncleHash,
    logsBloom: json.logsBloom,
    transactionsRoot: json.transactionsTrie,
    stateRoot: json.stateRoot,
    receiptsRoot: json.receiptTrie,
    miner: json.coinbase,
    difficulty: toQuantity(block.header.difficulty),
    extraData: json.extraData,
    size: toQuantity(block.serialize().length),
    gasLimit: toQuantity(block.header.gasLimit),
    gasUsed: toQuantity(block.header.gasUsed),
    timestamp: toQuantity(block.header.timestamp),
    mixHash: json.mixHash,
    uncles: block.uncleHeaders.map((uncle) => bytesToHex(uncle.hash())),
    transactions: transactions.map((one) =>
      full ? transactionAnswer(one, answered) : one.transaction.hash,
    ),
    ...defined({ baseFeePerGas, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash }),
    ...defined({ blockAccessListHash, slotNumber }),
    ...defined({ withdrawalsRoot: withdrawals && json.withdrawalsRoot, withdrawals }),
  };
}

const placeOf = (
  { index }: Pick<AnsweredTransaction, 'index'>,
  { hash, block }: Pick<AnsweredBlock, 'hash' | 'block'>,
) => ({
  blockHash: hash,
  blockNumber: toQuantity(block.header.number),
  transactionIndex: toQuantity(index),
});

const timeOf = ({ block }: AnsweredBlock) => ({
  blockTimestamp: toQuantity(block.header.timestamp),
});

/** Result of `eth_getTransactionByHash`. */
export function transactionAnswer(executed: AnsweredTransaction, block: AnsweredBlock): object {
  const { transaction: tx, gasPrice } = executed;
  const type = tx.type ?? 0;
  const { signature } = tx;
  const parity = toQuantity(signature?.yParity ?? 0);
  return {
    ...placeOf(executed, block),
    ...timeOf(block),
    hash: tx.hash,
    type: toQuantity(type),
    nonce: toQuantity(tx.nonce),
    from: lower(tx.from),
    to: lower(tx.to),
    value: toQuantity(tx.value),
    gas: toQuantity(tx.gasLimit),
    gasPrice: toQuantity(gasPrice),
    input: tx.data,
    r: toQuantity(BigInt(signature?.r ?? 0)),
    s: toQuantity(BigInt(signature?.s ?? 0)),
    v: type === 0 ? toQuantity(signature?.networkV ?? BigInt(signature?.v ?? 0)) : parity,
    ...(tx.chainId === 0n ? {} : { chainId: toQuantity(tx.chainId) }),
    ...(type === 0 ? {} : { yParity: parity, accessList: (tx.accessList ?? []).map(listed) }),
    ...(type < 2
      ? {}
      : {
          maxFeePerGas: toQuantity(tx.maxFeePerGas ?? 0n),
          maxPriorityFeePerGas: toQuantity(tx.maxPriorityFeePerGas ?? 0n),
        }),
    ...(type === 3
      ? {
          maxFeePerBlobGas: toQuantity(tx.maxFeePerBlobGas ?? 0n),
          blobVersionedHashes: tx.blobVersionedHashes,
        }
      : {}),
    ...(type === 4
      ? {
          authorizationList: (tx.authorizationList ?? []).map((one) => ({
            chainId: toQuantity(one.chainId),
            address: lower(one.address),
            nonce: toQuantity(one.nonce),
            yParity: toQuantity(one.signature.yParity),
            r: toQuantity(BigInt(one.signature.r)),
            s: toQuantity(BigInt(one.signature.s)),
          })),
        }
      : {}),
  };
}

/** Result of `eth_getTransactionReceipt`. */
export function receiptAnswer(executed: AnsweredTransaction, block: AnsweredBlock): object {
  const { transaction: tx, stateRoot } = executed;
  return {
    ...placeOf(executed, block),
    transactionHash: tx.hash,
    type: toQuantity(tx.type ?? 0),
    ...(stateRoot === undefined
      ? { status: executed.status ? '0x1' : '0x0' }
      : { root: stateRoot }),
    from: lower(tx.from),
    to: lower(tx.to),
    contractAddress: executed.created,
    gasUsed: toQuantity(executed.gasUsed),
    cumulativeGasUsed: toQuantity(executed.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(executed.gasPrice),
    logsBloom: bloomOf(executed.logs),
    ...(tx.type === 3
      ? {
          blobGasUsed: toQuantity(executed.blobGasUsed),
          blobGasPrice: toQuantity(executed.blobGasPrice),
        }
      : {}),
    logs: logAnswers(executed, block),
  };
}

/** Logs of a transaction as in its receipt and in `eth_getLogs`. */
export function logAnswers(
  executed: AnsweredTransaction,
  block: AnsweredBlock,
): { address: Address; topics: Hash[] }[] {
  const logsBefore = block.transactions
    .slice(0, executed.index)
    .reduce((sum, { logs }) => sum + logs.length, 0);
  return executed.logs.map((log, i) => ({
    ...placeOf(executed, block),
    ...timeOf(block),
    transactionHash: executed.transaction.hash,
    ...log,
    logIndex: toQuantity(logsBefore + i),
    removed: false,
  }));
}

function bloomOf(logs: Executed['logs']): Hex {
  const bloom = new Bloom();
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) bloom.add(hexToBytes(item));
  }
  return bytesToHex(bloom.bitvector);
}

/** The state methods: balance, nonce, code and a slot of an account after a block. */
export const STATE_METHODS: Record<
  string,
  (played: PlayedBlock, address: Address, slot?: Hex) => Hex
> = {
  eth_getBalance: ({ state }, address) => toQuantity(state.get(address)?.balance ?? 0n),
  eth_getTransactionCount: ({ state }, address) => toQuantity(state.get(address)?.nonce ?? 0),
  eth_getCode: ({ state }, address) => state.get(address)?.code ?? '0x',
  eth_getStorageAt: ({ state }, address, slot = '0x0') =>
    state.get(address)?.storage.get(toWord(BigInt(slot))) ?? toWord(0),
};

const listed = ({ address, storageKeys }: { address: string; storageKeys: string[] }) => ({
  address: address.toLowerCase(),
  storageKeys,
});

const lower = (address: string | null): string | null => address?.toLowerCase() ?? null;

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
