import { bytesToHex } from '@ethereumjs/util';
import type { Address, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/ethereum/quantity';
import type { Executed, PlayedBlock } from './chain';
import { isSince, type PlannedHardfork } from './plan';

const ZERO_NONCE = '0x0000000000000000';

/** `eth_getBlockByNumber`. @param full with the transactions instead of their hashes */
export function blockAnswer(played: PlayedBlock, hardfork: PlannedHardfork, full: boolean): object {
  const { block, hash, context, withdrawals } = played;
  const json = block.header.toJSON();
  const { baseFeePerGas, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } = json;
  return {
    number: toQuantity(context.number),
    hash,
    parentHash: context.parentHash,
    nonce: ZERO_NONCE,
    sha3Uncles: json.uncleHash,
    logsBloom: json.logsBloom,
    transactionsRoot: json.transactionsTrie,
    stateRoot: json.stateRoot,
    receiptsRoot: json.receiptTrie,
    miner: context.coinbase,
    difficulty: toQuantity(block.header.difficulty),
    totalDifficulty: toQuantity(block.header.difficulty),
    extraData: '0x',
    size: '0x400',
    gasLimit: toQuantity(context.gasLimit),
    gasUsed: toQuantity(block.header.gasUsed),
    timestamp: toQuantity(context.timestamp),
    mixHash: context.prevRandao,
    uncles: [],
    transactions: played.transactions.map((one) =>
      full ? transactionAnswer(one, played) : one.transaction.hash,
    ),
    ...defined({ baseFeePerGas, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash }),
    ...(isSince(hardfork, 'shanghai')
      ? {
          withdrawalsRoot: json.withdrawalsRoot,
          withdrawals: withdrawals.map(({ address, wei }, index) => ({
            index: toQuantity(index),
            validatorIndex: toQuantity(index),
            address,
            amount: toQuantity(wei / 10n ** 9n),
          })),
        }
      : {}),
  };
}

const placeOf = ({ index }: Executed, { hash, context }: PlayedBlock) => ({
  blockHash: hash,
  blockNumber: toQuantity(context.number),
  transactionIndex: toQuantity(index),
});

/** `eth_getTransactionByHash` */
export function transactionAnswer(executed: Executed, played: PlayedBlock): object {
  const { transaction: tx, gasPrice } = executed;
  const type = tx.type ?? 0;
  const { signature } = tx;
  const parity = toQuantity(signature?.yParity ?? 0);
  return {
    ...placeOf(executed, played),
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
    ...(type === 0 ? {} : { yParity: parity, accessList: tx.accessList ?? [] }),
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

/** `eth_getTransactionReceipt` */
export function receiptAnswer(executed: Executed, played: PlayedBlock): object {
  const { transaction: tx, index } = executed;
  const place = { ...placeOf(executed, played), transactionHash: tx.hash };
  const logsBefore = played.transactions
    .slice(0, index)
    .reduce((sum, { logs }) => sum + logs.length, 0);
  return {
    ...place,
    type: toQuantity(tx.type ?? 0),
    status: executed.status ? '0x1' : '0x0',
    from: lower(tx.from),
    to: lower(tx.to),
    contractAddress: executed.created,
    gasUsed: toQuantity(executed.gasUsed),
    cumulativeGasUsed: toQuantity(executed.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(executed.gasPrice),
    logsBloom: bytesToHex(new Uint8Array(256)),
    ...(tx.type === 3
      ? {
          blobGasUsed: toQuantity(executed.blobGasUsed),
          blobGasPrice: toQuantity(executed.blobGasPrice),
        }
      : {}),
    logs: executed.logs.map((log, i) => ({
      ...place,
      ...log,
      logIndex: toQuantity(logsBefore + i),
      removed: false,
    })),
  };
}

/** The state methods: balance, nonce, code and a slot of an account behind a block. */
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

const lower = (address: string | null): string | null => address?.toLowerCase() ?? null;

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
