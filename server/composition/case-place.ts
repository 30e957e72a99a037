import type { WrittenAnalysis } from '../api/case-content';
import type { Chain } from '../api/config';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcTransaction } from '../evm/forms/types';
import type { ForkNetwork } from '../forks/life/forks';
import type { CaseServicesOptions } from './case-services';

/** What is recorded of an analysis: the node of its chain, or the fork whose blocks it is on. */
export interface CasePlace {
  /** Of a fork, the forked one. */
  readonly chain: Chain;
  /** Id of the fork. */
  readonly fork: string | undefined;
  /** Chain or fork as the request names it. */
  readonly network: string;
  readonly upstream: RpcClient;
}

type Subject =
  | Pick<Extract<WrittenAnalysis, { transaction: unknown }>, 'transaction'>
  | Pick<Extract<WrittenAnalysis, { simulation: unknown }>, 'simulation'>;

/**
 * Finds what an analysis is recorded of. Blocks up to the fork point are those of the chain.
 * @throws ApiError `chainNotFound`, `forkNotFound`
 */
export async function casePlace(
  { chains, parts }: Pick<CaseServicesOptions, 'chains' | 'parts'>,
  network: string,
  subject: Subject,
  signal: AbortSignal,
): Promise<CasePlace> {
  const ofChain = (chain: Chain): CasePlace => {
    const upstream = parts.upstreamOf(chain);
    return { chain, fork: undefined, network, upstream };
  };
  if (!network.startsWith('fork_') || chains.has(network)) return ofChain(chains.bySlug(network));
  const fork = await parts.forks.networkOf(network);
  const { chain, engine, hardfork } = fork;
  const isOfChain =
    'transaction' in subject
      ? await isSentOnChain(fork, subject.transaction, signal)
      : await isOnChain(fork, subject.simulation, signal);
  if (isOfChain) return ofChain(chain);
  return { chain: { ...chain, hardfork }, fork: network, network, upstream: engine };
}

/** Transactions replayed into the fork's first block are those of the chain. */
async function isSentOnChain(
  { engine, originalHead }: ForkNetwork,
  hash: string,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await engine.request('eth_getTransactionByHash', [hash], { signal });
  const block = (found as RpcTransaction | null)?.blockNumber ?? undefined;
  return block !== undefined && Number(block) <= originalHead;
}

/** Whether a simulation is on the state of the chain itself: not after the newest block of the fork. */
async function isOnChain(
  { engine, originalHead }: ForkNetwork,
  { height, position = Infinity }: { height: string; position?: number | undefined },
  signal: AbortSignal,
): Promise<boolean> {
  if (height === 'earliest') return true;
  const head = Number(await engine.request('eth_blockNumber', [], { signal }));
  if (height.startsWith('0x') && Number(height) !== head) return Number(height) <= originalHead;
  if (head > originalHead) return false;
  const block = await engine.request('eth_getBlockByNumber', ['latest', false], { signal });
  return position < (block as RpcBlockHeader & { transactions: unknown[] }).transactions.length;
}
