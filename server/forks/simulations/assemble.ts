import { encodeRlp, keccak256, type RlpStructuredData } from 'ethers';
import type { Hardfork } from '../../api/config';
import type { Hex } from '../../api/primitives';
import { encodedReceipt, headerHash, headerItems } from '../../evm/forms/consensus-forms';
import { isSince } from '../../evm/forms/hardfork-order';
import { orderedTrieRoot } from '../../evm/forms/ordered-trie';
import { toQuantity } from '../../evm/forms/quantity';
import { GAS_PER_BLOB, nextExcessBlobGas, type BlobRules } from '../../evm/rules/blob-price';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { callResult, type EngineCall } from './call-results';
import type { Fields } from '../../evm/forms/fields';
import { optional, type PlannedBlock } from './plan';
import { simulatedTransaction } from './simulated-transaction';

const ZERO_HASH = `0x${'00'.repeat(32)}`;
const NO_UNCLES = keccak256(encodeRlp([]));
/** EIP-7685: SHA-256 of an empty input. */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Emitter of the logs that represent transfers of ether. They are not part of receipts. */
const ETHER = `0x${'ee'.repeat(20)}`;
const BLOOM_BYTES = 256;

export interface AssemblyContext {
  chainId: number;
  hardfork: Hardfork;
  /** As in `RunningFork`. */
  blobRules: BlobRules;
  fullTransactions: boolean;
  /** The parent block: hash and members. */
  parent: Fields;
  /** Nonces by sender, which the block's transactions increment. */
  nonces: Map<string, bigint>;
}

/**
 * A simulated block in JSON-RPC form. The state root is zero, because a fork has no full state. Everything derived from it (hash, size,
 * roots of transactions and receipts) is computed as for a real block.
 */
export function assembleBlock(
  planned: PlannedBlock,
  results: readonly EngineCall[],
  context: AssemblyContext,
): Fields {
  const { nonces, fullTransactions } = context;
  const { gas, stateOverrides } = planned;
  setNonces(nonces, stateOverrides);
  const transactions = transactionsOf(planned, context);
  const header = headerOf(planned, transactions, results, context);
  const hash = headerHash(header);
  const place = {
    blockHash: hash,
    blockNumber: header['number'],
    blockTimestamp: header['timestamp'],
  };
  let logIndex = 0;
  const callResults = results.map((result, index) => {
    const transactionIndex = toQuantity(index);
    const transactionHash = transactions[index]?.hash;
    const logs = result.logs.map(({ address, topics, data }) => ({
      address,
      topics,
      data,
      ...place,
      transactionHash,
      transactionIndex,
      logIndex: toQuantity(logIndex++),
      removed: false,
    }));
    return callResult(result, gas[index] ?? 0n, logs);
  });
  const withdrawals = header['withdrawalsRoot'] === undefined ? {} : { withdrawals: [] };
  const encoded = encodeRlp([
    headerItems(header),
    transactions.map(({ raw, type }): RlpStructuredData => (type === 0 ? [raw] : raw)),
    [],
    ...('withdrawals' in withdrawals ? [[]] : []),
  ]);
  return {
    hash,
    ...header,
    size: toQuantity((encoded.length - 2) / 2),
    transactions: transactions.map(({ fields, hash: own }, index) =>
      fullTransactions ? { ...fields, ...place, transactionIndex: toQuantity(index) } : own,
    ),
    uncles: [],
    ...withdrawals,
    calls: callResults,
  };
}

type Transactions = readonly ReturnType<typeof simulatedTransaction>[];

/** The calls as transactions, each with the next nonce of its sender. */
function transactionsOf(
  { baseFeePerGas: baseFee, calls, gas }: PlannedBlock,
  { chainId, nonces }: AssemblyContext,
): Transactions {
  return calls.map((call, index) => {
    const from = senderOf(call);
    const nonce = nonces.get(from) ?? 0n;
    nonces.set(from, BigInt.asUintN(64, nonce + 1n));
    const given = optional('nonce', call['nonce']) ?? nonce;
    return simulatedTransaction({ call, chainId, nonce: given, gas: gas[index] ?? 0n, baseFee });
  });
}

function headerOf(
  planned: PlannedBlock,
  transactions: Transactions,
  results: readonly EngineCall[],
  context: AssemblyContext,
): Fields {
  const { parent } = context;
  const { baseFeePerGas: baseFee } = planned;
  let cumulative = 0n;
  const receipts = results.map((result, index) => {
    cumulative += BigInt(result.gasUsed);
    const logs = BigInt(result.status) === 1n ? result.logs.filter(isEmitted) : [];
    const status = toQuantity(BigInt(result.status));
    const type = toQuantity(transactions[index]?.type ?? 0);
    const cumulativeGasUsed = toQuantity(cumulative);
    return { status, type, cumulativeGasUsed, logsBloom: bloomOf(logs), logs };
  });
  return {
    parentHash: parent['hash'],
    sha3Uncles: NO_UNCLES,
    miner: planned.feeRecipient,
    stateRoot: ZERO_HASH,
    transactionsRoot: orderedTrieRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot: orderedTrieRoot(receipts.map(encodedReceipt)),
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
    difficulty: parent['difficulty'] ?? '0x0',
    number: toQuantity(planned.number),
    gasLimit: toQuantity(planned.gasLimit),
    gasUsed: toQuantity(cumulative),
    timestamp: toQuantity(planned.time),
    extraData: '0x',
    mixHash: `0x${BigInt(planned.prevRandao).toString(16).padStart(64, '0')}`,
    nonce: '0x0000000000000000',
    ...(baseFee === undefined ? {} : { baseFeePerGas: toQuantity(baseFee) }),
    ...laterMembers(context, planned),
  };
}

/** Header members that later hardforks added; unspecified ones are zero. */
function laterMembers(
  { hardfork, blobRules, parent }: AssemblyContext,
  { calls, time }: PlannedBlock,
): Fields {
  const blobs = calls.reduce(
    (sum, call) => sum + ((call['blobVersionedHashes'] as unknown[] | undefined)?.length ?? 0),
    0,
  );
  return {
    ...(isSince(hardfork, 'shanghai') ? { withdrawalsRoot: orderedTrieRoot([]) } : {}),
    ...(isSince(hardfork, 'cancun')
      ? {
          blobGasUsed: toQuantity(BigInt(blobs) * GAS_PER_BLOB),
          excessBlobGas: toQuantity(excessAfter(blobRules, parent, time)),
          parentBeaconBlockRoot: ZERO_HASH,
        }
      : {}),
    ...(isSince(hardfork, 'prague') ? { requestsHash: NO_REQUESTS } : {}),
  };
}

function excessAfter(rules: BlobRules, parent: Fields, time: bigint): bigint {
  const { excessBlobGas = '0x0' } = parent;
  const header = { ...parent, excessBlobGas } as unknown as RpcBlockHeader;
  return nextExcessBlobGas(rules, header, Number(time)) ?? 0n;
}

const isEmitted = ({ address }: { address: string }): boolean => address.toLowerCase() !== ETHER;

/** The sender of a call, in lower case. */
export const senderOf = (call: Fields): string =>
  ((call['from'] ?? `0x${'00'.repeat(20)}`) as string).toLowerCase();

/** Applies nonces of state overrides. */
export function setNonces(nonces: Map<string, bigint>, state: Fields): void {
  for (const [address, override] of Object.entries(state)) {
    const { nonce } = override as Fields;
    const own = optional(`stateOverrides.${address}.nonce`, nonce);
    if (own !== undefined) nonces.set(address.toLowerCase(), own);
  }
}

/** Yellow paper, 4.3.1: three bits of 2,048 for each address and topic. */
function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): Hex {
  let bits = 0n;
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const digest = keccak256(item).slice(2);
    for (const start of [0, 4, 8]) {
      bits |= 1n << BigInt(parseInt(digest.slice(start, start + 4), 16) % (BLOOM_BYTES * 8));
    }
  }
  return `0x${bits.toString(16).padStart(BLOOM_BYTES * 2, '0')}`;
}
