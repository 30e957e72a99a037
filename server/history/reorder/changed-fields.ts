import { ApiError, invalidField } from '../../api/errors';
import { FIELDS, type ChangedFields } from '../../api/reorder';
import type { RpcTransaction } from '../../evm/forms/types';

/**
 * A transaction with other fields.
 * @param place name of the fields in the request
 * @throws ApiError `invalidField` for none, and for a price that its type does not have
 */
export function withFields(
  transaction: RpcTransaction,
  { data, ...fields }: ChangedFields,
  place: string,
): RpcTransaction {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fields;
  if (data === undefined && Object.keys(fields).length === 0) {
    throw invalidField(place, {}, `at least one of ${FIELDS}`);
  }
  const hasMaximum = transaction.maxFeePerGas !== undefined;
  if (!hasMaximum && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
    const name = maxFeePerGas === undefined ? 'maxPriorityFeePerGas' : 'maxFeePerGas';
    throw new ApiError(
      'invalidField',
      `${place} has ${name}, but the transaction has a gasPrice; accepted: gasPrice`,
    );
  }
  const changed: RpcTransaction = Object.assign({}, transaction, fields);
  if (data !== undefined) changed.input = data;
  // EIP-1559: with both at the price, it pays what a transaction with this gasPrice pays.
  if (hasMaximum && gasPrice !== undefined) {
    changed.maxFeePerGas = maxFeePerGas ?? gasPrice;
    changed.maxPriorityFeePerGas = maxPriorityFeePerGas ?? gasPrice;
  }
  return changed;
}
