import { concat, encodeRlp, hexlify, keccak256, toBeArray, type RlpStructuredData } from 'ethers';
import type { Hash, Hex } from '../../api/primitives';
import type { Fields } from './fields';

/** Fields of a block as in JSON-RPC, in the order of the header's encoding. */
const HEADER: readonly (readonly [field: string, kind: 'bytes' | 'number'])[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
];

/** Fields that later hardforks append, oldest first: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928. */
const APPENDED: typeof HEADER = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
  ['blockAccessListHash', 'bytes'],
];

/** A quantity in RLP's format: big endian, without leading zeros. */
export const rlpNumber = (value: unknown): string => hexlify(toBeArray(BigInt(value as string)));

/** The header of a block as a list for RLP. The hash of the encoding is the block's hash. */
export const headerItems = (block: Fields): RlpStructuredData[] =>
  [...HEADER, ...APPENDED.filter(([field]) => has(block, field))].map(([field, kind]) =>
    kind === 'number' ? rlpNumber(block[field]) : (block[field] as string),
  );

/** Hash of the header that results from a block's fields. */
export const headerHash = (block: Fields): Hash => keccak256(encodeRlp(headerItems(block))) as Hash;

/** A withdrawal as a list for RLP (EIP-4895). */
export const withdrawalItems = (withdrawal: Fields): RlpStructuredData[] => [
  rlpNumber(withdrawal['index']),
  rlpNumber(withdrawal['validatorIndex']),
  withdrawal['address'] as string,
  rlpNumber(withdrawal['amount']),
];

/** A receipt in the encoding of EIP-2718: prefixed by its type, except for type 0. */
export function encodedReceipt(receipt: Fields): Hex {
  const { root, status, type, cumulativeGasUsed, logsBloom, logs } = receipt;
  const body = encodeRlp([
    typeof root === 'string' ? root : rlpNumber(status),
    rlpNumber(cumulativeGasUsed),
    logsBloom as string,
    (logs as Fields[]).map(({ address, topics, data }) => [
      address as string,
      topics as string[],
      data as string,
    ]),
  ]);
  const prefix = rlpNumber(type ?? '0x0');
  return (prefix === '0x' ? body : concat([prefix, body])) as Hex;
}

const has = (block: Fields, field: string): boolean =>
  block[field] !== undefined && block[field] !== null;
