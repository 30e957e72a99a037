import type { RpcCall } from '../../evm/forms/json-rpc';
import { BLOCK_LOOKUP, BLOCK_PARAMETER } from '../upstream/block-lookups';
import { callText } from '../upstream/response-location';

const NUMBER = /^0x[0-9a-f]{1,16}$/i;
const SLOT = /^0x[0-9a-f]{1,64}$/i;

/** The same text for equivalent calls: tools write a slot with and without leading zeros. */
export function lockedText({ method, params }: RpcCall): string {
  if (method !== 'eth_getStorageAt') return callText({ method, params });
  const [address, slot, ...rest] = params;
  const short =
    typeof slot === 'string' && SLOT.test(slot) ? `0x${BigInt(slot).toString(16)}` : slot;
  return callText({ method, params: [address, short, ...rest] });
}

/** The number of the block that a call reads, or of the last block of a range; undefined for a call by hash or without a block. */
export function blockOf({ method, params }: RpcCall): bigint | undefined {
  for (const table of [BLOCK_PARAMETER, BLOCK_LOOKUP]) {
    if (Object.hasOwn(table, method)) return numberOf(params[table[method] ?? 0]);
  }
  if (method !== 'eth_getLogs') return undefined;
  return numberOf((params[0] as { toBlock?: unknown } | undefined)?.toBlock);
}

function numberOf(block: unknown): bigint | undefined {
  const number =
    typeof block === 'object' && block !== null
      ? (block as { blockNumber?: unknown }).blockNumber
      : block;
  return typeof number === 'string' && NUMBER.test(number) ? BigInt(number) : undefined;
}

/** Longest text of parameters in a message. */
const SHOWN_CHARACTERS = 300;

/** A call for people: `eth_getStorageAt of 0x… slot 0x3 at block 18000000`. */
export function describeCall(call: RpcCall): string {
  const { method, params } = call;
  const block = blockOf(call);
  const at = block === undefined ? '' : ` at block ${block.toString()}`;
  const [first, second] = params;
  if (method === 'eth_getStorageAt')
    return `${method} of ${String(first)} slot ${String(second)}${at}`;
  if (
    typeof first === 'string' &&
    params.length <= 2 &&
    block !== undefined &&
    !NUMBER.test(first)
  ) {
    return `${method} of ${first}${at}`;
  }
  const text = JSON.stringify(params);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `${method} ${shown}${at}`;
}
