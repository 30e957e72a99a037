import { ApiError } from '../../api/errors';
import type { RpcCall, RpcError } from '../../evm/forms/json-rpc';
import { meaningOf } from '../../evm/forms/endpoint-errors';

/** The block parameter of a call as written: a quantity or a tag. */
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

/** undefined if a call names no block, or not by number. */
export function blockNumberOf(call: RpcCall): bigint | undefined {
  const block = blockOf(call);
  return block?.startsWith('0x') === true ? BigInt(block) : undefined;
}

/**
 * Converts an error: `upstreamLacksData` if the node no longer has the state, else undefined.
 * @param name name for the endpoint in the message
 */
export function missingState(name: string, call: RpcCall, error: RpcError): ApiError | undefined {
  if (meaningOf(error, call.method) !== 'missingState') return undefined;
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
