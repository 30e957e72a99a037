import type { ApiError } from '../../api/errors';
import { haltError } from './halts';
import type { RpcError } from './json-rpc';
import { upstreamFailure } from './upstream-failure';

/**
 * Converts an error of anvil whose code and words clients do not know; undefined for all others.
 * @param chain name of the forked chain in the message
 */
export const engineError = (
  error: Pick<RpcError, 'code' | 'message'>,
  chain: string | undefined,
): ApiError | RpcError | undefined => upstreamFailure(error, chain) ?? haltError(error);
