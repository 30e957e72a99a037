import { encodeRlp, keccak256, stripZerosLeft, toBeHex } from 'ethers';
import type { Hash } from '../../api/primitives';

type Header = Readonly<Record<string, unknown>>;

/** Fields of a header in the order of its hash, and whether each is a number. */
const FIELDS = [
  ['parentHash', false],
  ['sha3Uncles', false],
  ['miner', false],
  ['stateRoot', false],
  ['transactionsRoot', false],
  ['receiptsRoot', false],
  ['logsBloom', false],
  ['difficulty', true],
  ['number', true],
  ['gasLimit', true],
  ['gasUsed', true],
  ['timestamp', true],
  ['extraData', false],
  ['mixHash', false],
  ['nonce', false],
] as const;
/** Fields that hardforks added, oldest first: EIP-1559, EIP-4895, EIP-4844, EIP-4788, EIP-7685, EIP-7928, EIP-7843. */
const ADDED = [
  ['baseFeePerGas', true],
  ['withdrawalsRoot', false],
  ['blobGasUsed', true],
  ['excessBlobGas', true],
  ['parentBeaconBlockRoot', false],
  ['requestsHash', false],
  ['blockAccessListHash', false],
  ['slotNumber', true],
] as const;

/** The Keccak-256 of the RLP of a header, as Ethereum and the chains of its family compute the hash of a block; undefined if a field of it is malformed or missing. */
export function headerHash(header: Header): Hash | undefined {
  const added = ADDED.filter(([name]) => header[name] !== undefined && header[name] !== null);
  try {
    const fields = [...FIELDS, ...added].map(([name, isNumber]) => bytesOf(header[name], isNumber));
    return keccak256(encodeRlp(fields)) as Hash;
  } catch {
    return undefined;
  }
}

/** @throws TypeError */
function bytesOf(value: unknown, isNumber: boolean): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return isNumber ? stripZerosLeft(toBeHex(BigInt(value))) : value;
}
