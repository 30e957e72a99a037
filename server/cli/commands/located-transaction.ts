import { locateTransaction } from '../../agents/locate-transaction';
import type { ApiCallOptions } from '../../api/client';
import type { RouteData, RouteRequest } from '../../api/routes';
import type { Context } from './context';
import { findChain } from './references';

/** Operations that read one transaction. */
export type TransactionRoute =
  | 'getInvocationFlow'
  | 'getBalanceChange'
  | 'getFundFlow'
  | 'getStateDiff'
  | 'getGasProfile'
  | 'getAnalysis';

/** A transaction as it is written: without a chain it is looked for. */
export interface WrittenTransaction {
  chain: string | undefined;
  hash: string;
  proof?: 'wait' | undefined;
}

export interface TransactionRequest {
  params: { chain: string; transaction: string };
  query: { proof?: 'wait' };
}

/** @throws ApiError where no place has it, or several have */
export async function locate(
  { chain, hash, proof }: WrittenTransaction,
  { connection: { client }, signal }: Context,
): Promise<TransactionRequest> {
  const place =
    chain === undefined
      ? await locateTransaction(client, hash, signal)
      : await findChain(client, chain);
  return {
    params: { chain: place, transaction: hash },
    query: proof === undefined ? {} : { proof },
  };
}

/** Reads one view of a transaction, with progress. */
export async function readView<Id extends TransactionRoute>(
  id: Id,
  transaction: WrittenTransaction,
  context: Context,
): Promise<RouteData<Id>> {
  const request = await locate(transaction, context);
  return context.connection.client.call(
    id,
    request as unknown as Partial<RouteRequest<Id>>,
    callOptions(context),
  );
}

/** Of a call that may take long. */
export function callOptions({ signal, out: { onProgress } }: Context): ApiCallOptions {
  return { signal, ...(onProgress === undefined ? {} : { onProgress }) };
}
