import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';

/**
 * Finds the one chain or fork that contains a transaction.
 * @returns slug or fork id
 * @throws ApiError if none or more than one contains it
 */
export async function locateTransaction(
  client: ApiClient,
  hash: string,
  signal: AbortSignal,
): Promise<string> {
  const params = { transaction: hash };
  const { places, unanswered, notAsked } = await client.call(
    'findTransaction',
    { params },
    { signal },
  );
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return only.chain;
  if (only !== undefined) {
    const names = places.map((place) => place.chain).join(', ');
    throw new ApiError(
      'invalidField',
      `several have this transaction: name one of ${names} as chain`,
    );
  }
  const silent = unanswered.length === 0 ? '' : `; no answer of ${unanswered.join(', ')}`;
  const notSearched =
    notAsked.length === 0 ? '' : `; not asked, as they are not configured: ${notAsked.join(', ')}`;
  throw new ApiError(
    'transactionNotFound',
    `no running fork and no configured chain has ${hash}${silent}${notSearched}`,
  );
}
