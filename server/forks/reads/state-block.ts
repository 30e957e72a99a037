import { STATE_BLOCK_PARAMETER } from '../../evm/forms/block-parameters';
import type { RpcCall } from '../../evm/forms/json-rpc';

/** Methods of the engine with a block parameter, which are more than most nodes offer. */
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  ...STATE_BLOCK_PARAMETER,
  eth_getAccountInfo: 1,
  debug_traceCall: 1,
};
const HEAD: ReadonlySet<unknown> = new Set([undefined, null, 'latest', 'pending']);

/** The block parameter of a call; undefined if the call reads the newest state, or none. */
export function namedBlock({ method, params }: RpcCall): unknown {
  const position = Object.hasOwn(BLOCK_PARAMETER, method) ? BLOCK_PARAMETER[method] : undefined;
  const block = position === undefined ? undefined : params[position];
  return HEAD.has(block) ? undefined : block;
}
