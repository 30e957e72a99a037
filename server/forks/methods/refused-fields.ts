import { RPC_CODES } from '../../api/rpc-codes';
import { isFields } from '../../evm/forms/fields';
import { RpcError } from '../../evm/forms/json-rpc';
import { checkFields } from '../reads/transaction-fields';

/**
 * Replaces the engine's error for a malformed transaction, which names no field, by one that does.
 * @param requests unsigned transactions as they were sent
 * @returns the error for the first wrong field; the given error if no field is wrong
 */
export function withFieldName(error: unknown, requests: readonly unknown[]): unknown {
  if (!(error instanceof RpcError) || error.code !== RPC_CODES.invalidParams) return error;
  try {
    for (const [entryIndex, request] of requests.entries()) {
      const prefix = requests.length === 1 ? '' : `transaction ${entryIndex} of the bundle: `;
      if (isFields(request)) checkFields(request, prefix);
    }
    return error;
  } catch (refusal) {
    return refusal;
  }
}
