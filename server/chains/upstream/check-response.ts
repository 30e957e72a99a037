import * as z from 'zod';
import {
  blockSchema,
  bytesSchema,
  firstIssue,
  minedTransactionSchema,
  quantitySchema,
  receiptSchema,
} from '../../evm/forms/answer-schemas';
import { completeBlock, completeTransaction } from '../../evm/forms/complete-answers';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { ApiError, shown } from '../../api/errors';

/** Forms of state reads, by method. These methods always return one value, never null. */
const STATE_FORMS: Readonly<Record<string, z.ZodType>> = {
  eth_getBalance: quantitySchema,
  eth_getTransactionCount: quantitySchema,
  eth_getStorageAt: quantitySchema,
  eth_getCode: bytesSchema,
};

/** Forms of answers, by method. Methods that are not listed have several forms. */
const FORMS: Readonly<Record<string, z.ZodType>> = {
  ...STATE_FORMS,
  eth_call: bytesSchema,
  eth_getLogs: z.array(z.looseObject({})),
  eth_getBlockReceipts: z.array(receiptSchema),
  eth_getBlockByNumber: blockSchema,
  eth_getBlockByHash: blockSchema,
  eth_getTransactionByHash: minedTransactionSchema,
  eth_getTransactionReceipt: receiptSchema,
};

const BLOCKS: ReadonlySet<string> = new Set(['eth_getBlockByNumber', 'eth_getBlockByHash']);

/** Members of answers that repeat a parameter of the call. */
const SUBJECTS: Readonly<Record<string, string>> = {
  eth_getBlockByNumber: 'number',
  eth_getBlockByHash: 'hash',
  eth_getTransactionByHash: 'hash',
  eth_getTransactionReceipt: 'transactionHash',
};

/**
 * Values that are computed from state have exactly one valid form.
 * @param chain slug
 * @throws ApiError `upstreamLacksData` if the answer to a state read has another form
 */
export function requireReadable(chain: string, { method }: RpcCall, answer: unknown): void {
  const form = Object.hasOwn(STATE_FORMS, method) ? STATE_FORMS[method] : undefined;
  if (!form || !firstIssue(form, answer)) return;
  throw new ApiError(
    'upstreamLacksData',
    `the node of ${chain} returned an invalid value: ${method} is ${shown(answer)}`,
  );
}

/** The answer with the fields that every block and transaction has to have. */
export function completed({ method }: RpcCall, answer: unknown): unknown {
  if (BLOCKS.has(method)) return completeBlock(answer);
  return method === 'eth_getTransactionByHash' ? completeTransaction(answer) : answer;
}

/**
 * Whether an answer has the form that execution-apis defines, and is about the requested item. Other answers are not kept, because the node
 * may be repaired.
 */
export function isKeepable({ method, params: [asked] }: RpcCall, answer: unknown): boolean {
  const form = Object.hasOwn(FORMS, method) ? FORMS[method] : undefined;
  if (form && firstIssue(form, answer)) return false;
  const subject = Object.hasOwn(SUBJECTS, method) ? SUBJECTS[method] : undefined;
  if (subject === undefined) return true;
  return BigInt((answer as Record<string, string>)[subject] ?? -1) === BigInt(asked as string);
}
