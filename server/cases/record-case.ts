import { randomBytes } from 'node:crypto';
import type { Chain } from '../api/config';
import { ApiError, transactionNotFound } from '../api/errors';
import { heightAboveHead } from '../api/height';
import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { SimulateBody } from '../api/simulate';
import { inSlices } from '../kernel/async/slices';
import type { RpcClient } from '../evm/forms/json-rpc';
import { toQuantity } from '../evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../evm/forms/types';
import { RecordingClient } from '../chains/upstream/recording-client';
import { answersWork, occurringAddressesWork } from './case-answers';
import type { CasePart } from './case-file';
import { blockOf, type CaseSubject, type SubjectAnalysis } from './case-subject';
import type { Lookups } from './known/lookups';
import { RecordedLookups } from './known/record-lookups';
import { collectProof } from './proof/collect-proof';
import type { ExecuteBlock } from './proof/execute-block';

/** What a part of a case is recorded from. */
export interface RecordingParts {
  /** The chain; for analyses on a fork, the forked one. */
  readonly chain: Chain;
  /** Id of the fork whose blocks are recorded. */
  readonly fork: string | undefined;
  /** Chain or fork as the request names it. */
  readonly network: string;
  readonly upstream: RpcClient;
  readonly lookups: Lookups;
  /** Numbers of the sources of signatures that are part of the program. */
  readonly inProgram: ReadonlySet<number>;
  /** Addresses whose names are part of the chain, and so are no secret of the user. */
  readonly named: ReadonlySet<string>;
  /**
   * Does everything with the analyses that the readers of the case will do, on a chain of another name that reads from the given client
   * and look-ups.
   */
  readonly exercise: (
    chain: Chain,
    client: RpcClient,
    lookups: Lookups,
    subject: CaseSubject,
  ) => Promise<void>;
  /** Executes the block up to the transaction on the second executor, so that what it reads is recorded. */
  readonly execute: (chain: Chain) => ExecuteBlock;
  readonly writtenBy: string;
}

/** An analysis to be recorded, with its number among all analyses of the case. */
export type ToRecord = { readonly index: number } & (
  | { readonly transaction: Hash }
  | { readonly simulation: SimulateBody; readonly title?: string | undefined }
);

export interface RecordCase {
  /** On the chain or fork. */
  readonly analyses: readonly ToRecord[];
  /** Whether the proofs of all state that was read are added, for one transaction. */
  readonly prove: boolean;
}

/**
 * Records everything that is read about analyses on a chain or fork.
 * @throws ApiError `transactionNotFound`, `transactionPending`, `invalidField` for a block above the head, errors of the node
 */
export async function recordPart(
  parts: RecordingParts,
  { analyses, prove }: RecordCase,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress },
): Promise<CasePart> {
  const { chain, fork, lookups, inProgram, named } = parts;
  const recordedAs = `recording-${randomBytes(8).toString('hex')}`;
  const client = new RecordingClient(parts.upstream);
  const names = { slug: chain.slug, key: fork ?? chain.slug, recordedAs };
  const recorded = new RecordedLookups(lookups, names, inProgram);
  const found: SubjectAnalysis[] = [];
  for (const analysis of analyses) found.push(await placed(chain, client, analysis, signal));
  const subject = subjectOf(parts, found);
  await parts.exercise({ ...chain, slug: recordedAs }, client, recorded.lookups, subject);
  let proof: CasePart['proof'];
  if (prove) {
    onProgress?.({ stage: 'proving', done: 0, total: 1 });
    const { number, position } = blockOf(subject);
    const count = position + 1;
    const sources = { client, node: parts.upstream, number, count, execute: parts.execute(chain) };
    proof = await collectProof(sources, signal);
  }
  const answers = await inSlices(answersWork(client.kept), signal);
  const occurring = await inSlices(occurringAddressesWork(answers), signal);
  const occurs = (address: Address): boolean => occurring.has(address) || named.has(address);
  return { subject, answers: client.kept, known: await recorded.known(occurs), proof };
}

/** The analysis with its block. The height of a simulation becomes a number. */
async function placed(
  chain: Chain,
  client: RpcClient,
  analysis: ToRecord,
  signal: AbortSignal,
): Promise<SubjectAnalysis> {
  const { index } = analysis;
  if ('transaction' in analysis) {
    const mined = await transactionOf(chain, client, analysis.transaction, signal);
    const { hash, blockNumber: number, blockHash, transactionIndex } = mined;
    const block = { number, hash: blockHash, position: Number(transactionIndex) };
    return { index, transaction: hash, block };
  }
  const { simulation, title } = analysis;
  const block = await blockOfSimulation(chain, client, simulation.height, signal);
  const { number, hash, transactions } = block;
  const { position = transactions.length } = simulation;
  return {
    index,
    simulation: { ...simulation, height: number },
    ...(title === undefined ? {} : { title }),
    block: { number, hash, position },
  };
}

/** @throws ApiError `invalidField` for a block above the head, `upstreamLacksData` */
async function blockOfSimulation(
  { slug }: Chain,
  client: RpcClient,
  height: string,
  signal: AbortSignal,
): Promise<RpcBlock> {
  // Not all chains have safe and finalized blocks.
  const tags = ['safe', 'finalized'].includes(height) ? [height, 'latest'] : [height];
  for (const tag of tags) {
    const params = [tag.startsWith('0x') ? toQuantity(BigInt(tag)) : tag, true];
    const block = (await client.request('eth_getBlockByNumber', params, {
      signal,
    })) as RpcBlock | null;
    if (block) return block;
  }
  const head = (await client.request('eth_blockNumber', [], { signal })) as string;
  if (height.startsWith('0x') && BigInt(height) > BigInt(head)) {
    throw heightAboveHead(height, head, slug);
  }
  throw new ApiError('upstreamLacksData', `the node of ${slug} does not return block ${height}`);
}

type Mined = RpcTransaction & Record<'blockNumber' | 'blockHash' | 'transactionIndex', Hex>;

/** @throws ApiError `transactionNotFound`, `transactionPending` */
async function transactionOf(
  { slug }: Chain,
  client: RpcClient,
  hash: Hash,
  signal: AbortSignal,
): Promise<Mined> {
  const params = [hash];
  const found = await client.request('eth_getTransactionByHash', params, { signal });
  const transaction = found as RpcTransaction | null;
  if (!transaction) throw transactionNotFound(hash, slug);
  if (!isMined(transaction)) {
    throw new ApiError('transactionPending', `transaction ${hash} is not mined yet`);
  }
  // Readers of a case ask for its block in both forms.
  for (const isFull of [true, false]) {
    const block = [transaction.blockNumber, isFull];
    await client.request('eth_getBlockByNumber', block, { signal });
  }
  // View calls before the transaction have its number and time.
  const parent = [toQuantity(BigInt(transaction.blockNumber) - 1n), false];
  await client.request('eth_getBlockByNumber', parent, { signal });
  return transaction;
}

const isMined = (transaction: RpcTransaction): transaction is Mined =>
  transaction.blockNumber !== null && transaction.transactionIndex !== null;

function subjectOf(
  { chain, fork, network, writtenBy }: RecordingParts,
  analyses: SubjectAnalysis[],
): CaseSubject {
  const { slug, chainId, name, nativeSymbol, wrappedNative, hardfork } = chain;
  return {
    chain: {
      slug,
      chainId,
      nativeSymbol,
      ...(name === undefined ? {} : { name }),
      ...(wrappedNative === undefined ? {} : { wrappedNative }),
      ...(hardfork === undefined ? {} : { hardfork }),
      ...(fork === undefined ? {} : { isFork: true as const }),
    },
    network,
    analyses,
    writtenBy,
  };
}
