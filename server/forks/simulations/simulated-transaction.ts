import { concat, encodeRlp, keccak256, type RlpStructuredData } from 'ethers';
import type { Hash, Hex } from '../../api/primitives';
import { rlpNumber } from '../../evm/forms/consensus-forms';
import { toQuantity } from '../../evm/forms/quantity';
import { optional } from './plan';
import type { Fields } from '../../evm/forms/fields';

export interface SimulatedTransaction {
  raw: Hex;
  hash: Hash;
  type: number;
  /** JSON-RPC form, without its position in the block. */
  fields: Fields;
}

interface Parts {
  call: Fields;
  chainId: number;
  nonce: bigint;
  gas: bigint;
  baseFee: bigint | undefined;
}

const NOBODY = `0x${'00'.repeat(20)}`;

/** Builds the transaction of a simulated call: unsigned, so r, s and v are zero, and of type 2 by default. */
export function simulatedTransaction(parts: Parts): SimulatedTransaction {
  const { call, chainId, nonce, gas, baseFee = 0n } = parts;
  const type = typeOf(call);
  const value = optional('value', call['value']) ?? 0n;
  const to = (call['to'] as Hex | null | undefined) ?? null;
  const input = (call['input'] ?? call['data'] ?? '0x') as Hex;
  const gasPrice = optional('gasPrice', call['gasPrice']) ?? 0n;
  const cap = optional('maxFeePerGas', call['maxFeePerGas']) ?? gasPrice;
  const tip = optional('maxPriorityFeePerGas', call['maxPriorityFeePerGas']) ?? gasPrice;
  const accessList = (call['accessList'] ?? []) as { address: string; storageKeys: string[] }[];
  const hashes = (call['blobVersionedHashes'] ?? []) as string[];
  const blobCap = optional('maxFeePerBlobGas', call['maxFeePerBlobGas']) ?? 0n;
  const authorizationList = (call['authorizationList'] ?? []) as Fields[];
  const fees = type < 2 ? [gasPrice] : [tip, cap];
  const items: RlpStructuredData[] = [
    ...(type === 0 ? [] : [rlpNumber(toQuantity(chainId))]),
    ...[nonce, ...fees, gas].map((one) => rlpNumber(toQuantity(one))),
    to ?? '0x',
    rlpNumber(toQuantity(value)),
    input,
    ...(type === 0 ? [] : [accessList.map((one) => [one.address, one.storageKeys])]),
    ...(type === 3 ? [rlpNumber(toQuantity(blobCap)), hashes] : []),
    ...(type === 4 ? [authorizationList.map(authorizationItems)] : []),
    '0x',
    '0x',
    '0x',
  ];
  const raw = (
    type === 0 ? encodeRlp(items) : concat([new Uint8Array([type]), encodeRlp(items)])
  ) as Hex;
  const price = type < 2 ? gasPrice : baseFee + tip < cap ? baseFee + tip : cap;
  const hash = keccak256(raw) as Hash;
  return {
    raw,
    hash,
    type,
    fields: {
      type: toQuantity(type),
      hash,
      from: call['from'] ?? NOBODY,
      to,
      input,
      nonce: toQuantity(nonce),
      gas: toQuantity(gas),
      value: toQuantity(value),
      gasPrice: toQuantity(price),
      ...(type < 2 ? {} : { maxFeePerGas: toQuantity(cap), maxPriorityFeePerGas: toQuantity(tip) }),
      ...(type === 0 ? {} : { chainId: toQuantity(chainId), accessList, yParity: '0x0' }),
      ...(type === 3 ? { maxFeePerBlobGas: toQuantity(blobCap), blobVersionedHashes: hashes } : {}),
      ...(type === 4 ? { authorizationList } : {}),
      v: '0x0',
      r: '0x0',
      s: '0x0',
    },
  };
}

function typeOf(call: Fields): number {
  if (call['authorizationList'] !== undefined) return 4;
  if (call['blobVersionedHashes'] !== undefined) return 3;
  if (call['gasPrice'] !== undefined) return call['accessList'] === undefined ? 0 : 1;
  return 2;
}

const authorizationItems = (one: Fields): RlpStructuredData[] => [
  rlpNumber(one['chainId']),
  one['address'] as string,
  ...['nonce', 'yParity', 'r', 's'].map((name) => rlpNumber(one[name])),
];
