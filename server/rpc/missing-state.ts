import { ApiError } from '../api/errors';
import type { RpcCall, RpcError } from '../ethereum/json-rpc';

/** How geth, erigon, nethermind, besu, reth and the large providers say that old state is gone. */
const MISSING_STATE =
  /missing trie node|header not found|state (0x[0-9a-f]+ )?(is )?(not available|unavailable|pruned)|historical state|state histories|pruned|old data not available|archive|world state unavailable|distance to target block exceeds|no state available/i;

/** The block that a call asks about, as its parameters write it: a quantity or a tag. */
function blockOf({ params }: RpcCall): string | undefined {
  const candidates = [...params].reverse().flatMap((param): unknown[] => {
    if (typeof param !== 'object' || param === null) return [param];
    const { blockNumber, blockHash, fromBlock } = param as Record<string, unknown>;
    return [blockNumber, blockHash, fromBlock];
  });
  return candidates.find(
    (value): value is string =>
      typeof value === 'string' && (/^0x[0-9a-f]{1,16}$/i.test(value) || /^[a-z]+$/.test(value)),
  );
}

/** undefined where a call names no block, or not by its number. */
export function blockNumberOf(call: RpcCall): bigint | undefined {
  const block = blockOf(call);
  return block?.startsWith('0x') === true ? BigInt(block) : undefined;
}

/** Whether an answered error says that the node no longer has the state. */
export const isMissingState = (error: RpcError): boolean =>
  error.code !== 3 && MISSING_STATE.test(error.message);

/**
 * The error that an answered error stands for: `upstreamLacksData` if the node no longer has the state, else undefined.
 * @param name what stands for the endpoint in the message
 */
export function missingState(name: string, call: RpcCall, error: RpcError): ApiError | undefined {
  if (!isMissingState(error)) return undefined;
  const number = blockNumberOf(call);
  const block = blockOf(call);
  const where =
    number !== undefined
      ? `block ${number}`
      : block === undefined
        ? 'an old block'
        : `block "${block}"`;
  return new ApiError(
    'upstreamLacksData',
    `the RPC endpoint of ${name} lacks the state of ${where} (${call.method}); an archive node is needed`,
  );
}
