import type { Fork } from '../../api/fork';
import { forkRpc } from '../../client/fork-rpc';
import type { Context } from './context';
import { findFork } from './references';

/** The fork that receives JSON-RPC requests. */
export interface ForkRpcTarget {
  fork: Fork;
  /** @throws ForkRpcError, ApiError */
  send: (method: string, params: unknown) => Promise<unknown>;
}

/** @param reference id or name of a fork */
export async function forkRpcTarget(
  reference: string,
  { connection, signal }: Context,
): Promise<ForkRpcTarget> {
  const { fork } = await findFork(connection.client, reference);
  return { fork, send: (method, params) => forkRpc(fork, method, params, signal) };
}
