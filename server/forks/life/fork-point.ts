import { ApiError, invalidField } from '../../api/errors';
import type { CreateForkBody } from '../../api/fork';
import { heightAboveHead, isHeightTag, type HeightTag } from '../../api/height';
import { blockWithHashes, type BlockWithHashes } from '../../evm/forms/block-header';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { settled } from '../../kernel/async/settled';

/** The fork point in a chain; see `ForkRecord`. */
export interface ForkPoint {
  height: number;
  position: number | null;
  base: number;
  prefix: number;
  hashes: { base: string; height?: string | undefined };
  /** Header of block `height`. */
  header: RpcBlockHeader;
}

/**
 * Resolves a fork point. position 0: before block N. 0 < p < count: after p of its transactions. p = count or none: after the whole block.
 * @throws ApiError invalidField for a block above the head, or a position beyond the block; upstreamLacksData if the state is missing
 */
export async function resolveForkPoint(
  upstream: RpcClient,
  chain: string,
  { height, position }: Pick<CreateForkBody, 'height' | 'position'>,
  signal: AbortSignal,
): Promise<ForkPoint> {
  // Requested in advance if the block is probably the one needed, which saves a round trip.
  const estimated = isHeightTag(height)
    ? undefined
    : BigInt(height) - (position === undefined ? 0n : 1n);
  const proof =
    estimated === undefined || estimated < 0n
      ? undefined
      : settled(proveState(upstream, estimated, signal));
  const header = isHeightTag(height)
    ? await taggedBlock(upstream, chain, height, signal)
    : await blockAt(upstream, chain, height, signal);
  const number = Number(header.number);
  const count = header.transactions.length;
  if (position !== undefined && position > count) {
    const transactions = count === 1 ? '1 transaction' : `${count} transactions`;
    throw invalidField(
      'position',
      position,
      `0 to ${count}: block ${number} of ${chain} has ${transactions}`,
    );
  }
  if (number === 0 && position === 0) {
    throw invalidField('position', position, 'none for block 0: there is no block before it');
  }
  const whole = position === undefined || (position === count && position > 0);
  const base = whole ? number : number - 1;
  await (estimated === BigInt(base) && proof
    ? proof()
    : proveState(upstream, BigInt(base), signal));
  return {
    height: number,
    position: position ?? null,
    base,
    prefix: whole ? 0 : position,
    hashes: whole
      ? { base: header.hash }
      : { base: header.parentHash, ...(position > 0 ? { height: header.hash } : {}) },
    header,
  };
}

/** Returns the newest block if the chain does not support the tag. */
async function taggedBlock(
  upstream: RpcClient,
  chain: string,
  wanted: HeightTag,
  signal: AbortSignal,
): Promise<BlockWithHashes> {
  for (const tag of new Set([wanted, 'latest'])) {
    try {
      const header = await blockWithHashes(upstream, tag, { signal });
      if (header) return header;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }
  throw new ApiError(
    'upstreamLacksData',
    `the node of chain ${chain} does not return its newest block`,
  );
}

async function blockAt(
  upstream: RpcClient,
  chain: string,
  height: string,
  signal: AbortSignal,
): Promise<BlockWithHashes> {
  const header = await headerAt(upstream, height, signal);
  if (header) return header;
  const head = BigInt((await upstream.request('eth_blockNumber', [], { signal })) as string);
  if (BigInt(height) > head) {
    throw heightAboveHead(height, head, chain);
  }
  throw new ApiError(
    'upstreamLacksData',
    `the node of chain ${chain} does not return block ${BigInt(height)}`,
  );
}

/** Returns null for a missing block, also if the node reports it by an error. */
async function headerAt(
  upstream: RpcClient,
  height: string,
  signal: AbortSignal,
): Promise<BlockWithHashes | null> {
  try {
    return await blockWithHashes(upstream, toQuantity(BigInt(height)), { signal });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

const ANY_ADDRESS = `0x${'00'.repeat(20)}`;

/**
 * Checks that the node has the state, since full nodes keep it for some blocks only. The creation then fails, instead of the first call.
 */
async function proveState(upstream: RpcClient, block: bigint, signal: AbortSignal): Promise<void> {
  await upstream.request('eth_getBalance', [ANY_ADDRESS, toQuantity(block)], { signal });
}
