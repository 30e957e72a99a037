import { locateTransaction } from '../../agents/locate-transaction';
import type { ApiCallOptions } from '../../api/client';
import { ApiError } from '../../api/errors';
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
  | 'getAnalysis'
  | 'getFoundryTest';

/** A transaction from the command line. Without a chain, the command searches for it. */
export interface WrittenTransaction {
  chain: string | undefined;
  hash: string;
  proof?: 'wait' | undefined;
}

export interface TransactionRequest {
  params: { chain: string; transaction: string };
  query: { proof?: 'wait' };
}

/**
 * Reads a transaction. Queries a given chain directly. If the service does not find a chain of that name, searches the names of forks.
 * @throws ApiError if no chain or fork contains the transaction, or if more than one does
 */
export async function onTransaction<Answer>(
  { chain, hash, proof }: WrittenTransaction,
  { connection: { client }, signal }: Context,
  read: (request: TransactionRequest) => Promise<Answer>,
): Promise<Answer> {
  const readAt = (place: string): Promise<Answer> =>
    read({
      params: { chain: place, transaction: hash },
      query: proof === undefined ? {} : { proof },
    });
  if (chain === undefined) return readAt(await locateTransaction(client, hash, signal));
  try {
    return await readAt(chain);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'chainNotFound') throw error;
    return readAt(await findChain(client, chain));
  }
}

/** Reads one view of a transaction, with progress. */
export async function readView<Id extends TransactionRoute>(
  id: Id,
  transaction: WrittenTransaction,
  context: Context,
): Promise<RouteData<Id>> {
  return onTransaction(transaction, context, (request) =>
    context.connection.client.call(
      id,
      request as unknown as Partial<RouteRequest<Id>>,
      callOptions(context),
    ),
  );
}

/** Options of a call that may take long. */
export function callOptions(
  { signal, out }: Context,
  duration: 'seconds' | 'minutes' = 'seconds',
): ApiCallOptions {
  const onProgress = out.progressOf(duration);
  return { signal, ...(onProgress === undefined ? {} : { onProgress }) };
}
