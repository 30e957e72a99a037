import { isMissing, type Fields } from '../../evm/forms/fields';
import { invalidParams } from '../../evm/forms/json-rpc';

const ADDRESS = { pattern: /^0x[0-9a-f]{40}$/i, accepted: 'an address: 0x and 40 hex digits' };
const BYTES = {
  pattern: /^0x([0-9a-f]{2})*$/i,
  accepted: 'bytes: 0x and an even number of hex digits',
};
const WORD = { pattern: /^0x[0-9a-f]{64}$/i, accepted: '32 bytes: 0x and 64 hex digits' };

const TEXTS: readonly (readonly [string, typeof ADDRESS])[] = [
  ['from', ADDRESS],
  ['to', ADDRESS],
  ['data', BYTES],
  ['input', BYTES],
];
/** Quantities, with their number of bits. */
const QUANTITIES: readonly (readonly [string, number])[] = [
  ['value', 256],
  ['gas', 64],
  ['gasPrice', 128],
  ['maxFeePerGas', 128],
  ['maxPriorityFeePerGas', 128],
  ['maxFeePerBlobGas', 128],
  ['nonce', 64],
];

/**
 * Checks the form of the fields of an unsigned transaction.
 * @param prefix before the names in errors
 * @throws RpcError -32602 with the name of the first wrong field
 */
export function checkFields(request: Fields, prefix = ''): void {
  for (const [name, { pattern, accepted }] of TEXTS) {
    const value = request[name];
    if (!isMissing(value) && !(typeof value === 'string' && pattern.test(value))) {
      throw invalidParams(prefix + name, value, accepted);
    }
  }
  for (const [name, bits] of QUANTITIES) {
    const value = request[name];
    if (!isMissing(value) && !isQuantity(value, bits)) {
      throw invalidParams(prefix + name, value, `a quantity as hex, below 2^${bits}`);
    }
  }
  checkAccessList(request['accessList'], prefix);
  checkKind(request, prefix);
}

function isQuantity(value: unknown, bits: number): boolean {
  const isNumber =
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(value));
  const number = isNumber ? BigInt(value) : -1n;
  return number >= 0n && number < 1n << BigInt(bits);
}

function checkAccessList(list: unknown, prefix: string): void {
  if (isMissing(list)) return;
  if (!Array.isArray(list)) {
    throw invalidParams(`${prefix}accessList`, list, 'an array of addresses with storageKeys');
  }
  for (const [index, entry] of list.entries()) {
    const { address, storageKeys } = (entry ?? {}) as Fields;
    const at = `${prefix}accessList[${index}]`;
    if (typeof address !== 'string' || !ADDRESS.pattern.test(address)) {
      throw invalidParams(`${at}.address`, address, ADDRESS.accepted);
    }
    if (!Array.isArray(storageKeys)) {
      throw invalidParams(`${at}.storageKeys`, storageKeys, 'an array of words of 32 bytes');
    }
    for (const [entryIndex, key] of (storageKeys as unknown[]).entries()) {
      if (typeof key === 'string' && WORD.pattern.test(key)) continue;
      throw invalidParams(`${at}.storageKeys[${entryIndex}]`, key, WORD.accepted);
    }
  }
}

/** Checks fields that are valid separately but belong to different transaction types (EIP-2718). */
function checkKind({ type, gasPrice, maxFeePerGas }: Fields, prefix: string): void {
  if (!isMissing(type) && !(isQuantity(type, 8) && BigInt(type as string) <= 4n)) {
    throw invalidParams(`${prefix}type`, type, '0x0 to 0x4');
  }
  if (!isMissing(gasPrice) && !isMissing(maxFeePerGas)) {
    throw invalidParams(`${prefix}gasPrice`, gasPrice, 'none together with maxFeePerGas');
  }
}
