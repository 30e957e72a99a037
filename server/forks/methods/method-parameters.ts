import { MAX_WORD } from '../../api/word';
import { Transaction } from 'ethers';
import { STATE_BLOCK_PARAMETER } from '../../evm/forms/block-parameters';
import { fieldsOf, isFields, isMissing, type Fields } from '../../evm/forms/fields';
import { invalidParams, RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { exceeds } from './gas-bound';
import { TRACERS } from './method-names';

type Params = readonly unknown[];

/** Methods for which the engine requires a block, where execution-apis defaults to the latest one. */
const DEFAULTS_TO_LATEST: ReadonlySet<string> = new Set([
  'eth_getBalance',
  'eth_getCode',
  'eth_getTransactionCount',
  'eth_getStorageAt',
]);

/**
 * Parameters of a read, with the default block.
 * @throws RpcError for a storage key of more than 32 bytes: the engine truncates it
 */
export function stateParameters(method: string, params: Params): Params {
  if (method === 'eth_getStorageAt' && /^0x.{65}/.test(String(params[1]))) {
    throw invalidParams('the storage key', params[1], 'up to 32 bytes as hex');
  }
  const place = DEFAULTS_TO_LATEST.has(method) ? STATE_BLOCK_PARAMETER[method] : undefined;
  return params.length === place ? [...params, 'latest'] : params;
}

/** @throws RpcError for a tracer that is not built in: a script in an engine cannot be bounded */
export function checkTracer(options: unknown): void {
  const tracer = isFields(options) ? options['tracer'] : undefined;
  if (tracer === undefined || TRACERS.has(tracer)) return;
  const accepted = [...TRACERS].join(', ');
  if (typeof tracer !== 'string' || !tracer.includes('{')) {
    throw invalidParams('tracer', tracer, accepted);
  }
  throw new RpcError(
    RPC_CODES.invalidParams,
    `tracer is a script, which a fork does not execute; accepted: ${accepted}`,
  );
}

/**
 * Checks a signed transaction for this fork. The engine itself silently drops some with another chain's id.
 * @param antiReplay refuses transactions without a chain id, which are valid on every chain
 * @throws RpcError
 */
export function checkSigned(raw: unknown, chainId: number, antiReplay: boolean): void {
  let transaction: Transaction;
  try {
    if (typeof raw !== 'string') throw new TypeError('no text');
    transaction = Transaction.from(raw);
  } catch {
    throw invalidParams('the transaction', raw, 'a signed transaction as hex');
  }
  if (transaction.chainId === BigInt(chainId)) return;
  if (transaction.chainId !== 0n) {
    throw new RpcError(
      RPC_CODES.invalidInput,
      `invalid chain id: the transaction is signed for chain ${transaction.chainId}, this fork is chain ${chainId}`,
    );
  }
  if (antiReplay) {
    throw new RpcError(
      RPC_CODES.invalidInput,
      `the transaction is signed without a chain id (before EIP-155); accepted: chain id ${chainId}`,
    );
  }
}

/** @returns its fields @throws RpcError for a request that names another chain, or is not an object */
export function checkUnsigned(request: unknown, chainId: number): Fields {
  const fields = fieldsOf('the transaction', request);
  const named = fields['chainId'];
  if (isMissing(named)) return fields;
  const id = wholeNumber('chainId', named);
  if (id === chainId) return fields;
  throw new RpcError(
    RPC_CODES.invalidInput,
    `invalid chain id: chainId is ${id}, this fork is chain ${chainId}`,
  );
}

/** Pads values to 32 bytes, as the engine requires; users write `0x1`. */
function storageCall([address, slot, value]: Params): Params {
  const padded =
    typeof value === 'string' && /^0x[0-9a-f]{0,63}$/i.test(value)
      ? `0x${value.slice(2).padStart(64, '0')}`
      : value;
  return [address, slot, padded];
}

const MAX_ACCOUNTS = 100;

/**
 * Converts a change of state to the engine's own calls; several if the call names several accounts.
 * @param original name that the user called: Tenderly's parameters differ
 */
export function changeCalls(original: string, method: string, params: Params): RpcCall[] {
  const tenderly = /^(tenderly|forklens)_/.test(original);
  const time = CLOCK_PARAMETERS.get(method);
  if (time !== undefined) return [clockCall(time, method, params)];
  if (method === 'anvil_setStorageAt') return [{ method, params: storageCall(params) }];
  if (method === 'anvil_setBlockGasLimit' && exceeds('the block gas limit', params[0])) {
    throw invalidParams('the block gas limit', params[0], `up to ${LIMITS.gas}`);
  }
  if (!tenderly) return [{ method, params }];
  if (method === 'anvil_setBalance' || method === 'anvil_addBalance') {
    const [accounts, amount] = params;
    return each(accounts).map((account) => ({ method, params: [account, amount] }));
  }
  return [{ method, params }];
}

/** One account, or several. */
export function each(accounts: unknown): unknown[] {
  if (!Array.isArray(accounts)) return [accounts];
  if (accounts.length > MAX_ACCOUNTS) {
    throw invalidParams('the number of accounts', accounts.length, `up to ${MAX_ACCOUNTS}`);
  }
  return accounts;
}

/** @throws RpcError if it is not an address. @returns the address in lower case */
export function addressOf(name: string, value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase();
  throw invalidParams(name, value, 'an address: 0x and 40 hex digits');
}

/** Hex, decimal text or a number; up to 256 bits. @throws RpcError */
export function amountOf(name: string, value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(text)) {
    const amount = BigInt(text);
    if (amount <= MAX_WORD) return amount;
  }
  throw invalidParams(name, value, 'a whole number from 0 to 2^256 - 1');
}

/** Accepts numbers, decimal text and hex, to support all tools. @throws RpcError */
export function wholeNumber(name: string, value: unknown): number | undefined {
  if (isMissing(value)) return undefined;
  const isNumber =
    typeof value === 'number' ||
    (typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value));
  const number = isNumber ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw invalidParams(name, value, 'a whole number from 0 to 2^53 - 1');
}

/** Methods that change the clock, and the meaning of their first parameter. */
const CLOCK_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['evm_increaseTime', 'the number of seconds'],
  ['evm_setNextBlockTimestamp', 'the timestamp'],
  ['evm_setTime', 'the timestamp'],
  ['anvil_setBlockTimestampInterval', 'the number of seconds'],
]);

/** Converts the time to a number, so that the engine and the fork's clock read the same value. */
function clockCall(name: string, method: string, [first]: Params): RpcCall {
  const number = wholeNumber(name, first);
  if (number !== undefined) return { method, params: [number] };
  throw invalidParams(name, first, 'a whole number from 0 to 2^53 - 1');
}
