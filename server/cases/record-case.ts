import { randomBytes } from 'node:crypto';
import type { Chain } from '../api/config';
import { ApiError, transactionNotFound } from '../api/errors';
import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { RpcClient } from '../evm/forms/json-rpc';
import { toQuantity } from '../evm/forms/quantity';
import type { RpcTransaction } from '../evm/forms/types';
import { RecordingClient } from '../chains/upstream/recording-client';
import { answersText, occurringAddresses, type CaseContent, type CaseSubject } from './case-file';
import type { Lookups } from './known/lookups';
import { RecordedLookups } from './known/record-lookups';
import { collectProof } from './proof/collect-proof';
import type { ExecuteBlock } from './proof/execute-block';

/** What a case is recorded from. */
export interface RecordingParts {
  /** The chain; for a transaction that was made on a fork, the forked one. */
  readonly chain: Chain;
  /** Id of the fork on which the transaction was made. */
  readonly fork: string | undefined;
  readonly upstream: RpcClient;
  readonly lookups: Lookups;
  /** Numbers of the sources of signatures that are part of the program. */
  readonly inProgram: ReadonlySet<number>;
  /** Addresses whose names are part of the chain, and so are no secret of the user. */
  readonly named: ReadonlySet<string>;
  /**
   * Does everything with the transaction that the readers of the case will do, on a chain of another name that reads from the given client
   * and look-ups.
   */
  readonly exercise: (
    chain: Chain,
    client: RpcClient,
    lookups: Lookups,
    subject: CaseSubject,
    transaction: RpcTransaction,
  ) => Promise<void>;
  /** Executes the block up to the transaction on the second executor, so that what it reads is recorded. */
  readonly execute: (chain: Chain) => ExecuteBlock;
  readonly writtenBy: string;
}

export interface RecordCase {
  readonly transaction: Hash;
  /** Whether the proofs of all state that was read are added. */
  readonly prove: boolean;
}

/**
 * Records everything that is read about a transaction.
 * @throws ApiError `transactionNotFound`, `transactionPending`, errors of the node
 */
export async function recordCase(
  parts: RecordingParts,
  { transaction, prove }: RecordCase,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress },
): Promise<CaseContent> {
  const { chain, fork, lookups, inProgram, named } = parts;
  const recordedAs = `recording-${randomBytes(8).toString('hex')}`;
  const client = new RecordingClient(parts.upstream);
  const names = { slug: chain.slug, key: fork ?? chain.slug, recordedAs };
  const recorded = new RecordedLookups(lookups, names, inProgram);
  const mined = await transactionOf(chain, client, transaction, signal);
  const subject = subjectOf(parts, mined);
  await parts.exercise({ ...chain, slug: recordedAs }, client, recorded.lookups, subject, mined);
  let proof: CaseContent['proof'];
  if (prove) {
    onProgress?.({ stage: 'proving', done: 0, total: 1 });
    const { number } = subject.block;
    const count = subject.block.position + 1;
    const sources = { client, node: parts.upstream, number, count, execute: parts.execute(chain) };
    proof = await collectProof(sources, signal);
  }
  const occurring = occurringAddresses(answersText(client.kept));
  const occurs = (address: Address): boolean => occurring.has(address) || named.has(address);
  return { subject, answers: client.kept, known: await recorded.known(occurs), proof };
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
  { chain, fork, writtenBy }: RecordingParts,
  { hash, blockNumber, blockHash, transactionIndex }: Mined,
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
    transaction: hash,
    block: { number: blockNumber, hash: blockHash, position: Number(transactionIndex) },
    writtenBy,
  };
}
