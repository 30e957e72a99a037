import type { Fork } from '../../api/fork';
import { forkRpc, rpcUrlOf } from '../../client/fork-rpc';
import type { Context } from './context';
import { findFork } from './references';

/** The fork that receives JSON-RPC requests. */
export interface ForkRpcTarget {
  /** Has an RPC URL. */
  fork: Fork;
  /** @throws ForkRpcError, ApiError */
  send: (method: string, params: unknown) => Promise<unknown>;
}

/**
 * @param reference id or name of a fork
 * @throws ApiError `roleMissing` for a viewer, who has no RPC URL
 */
export async function forkRpcTarget(
  reference: string,
  { connection, signal }: Context,
): Promise<ForkRpcTarget> {
  const { fork } = await findFork(connection.client, reference);
  rpcUrlOf(fork);
  return { fork, send: (method, params) => forkRpc(fork, method, params, signal) };
}
