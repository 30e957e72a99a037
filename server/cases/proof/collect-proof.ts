import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import type { RecordingClient } from '../../chains/upstream/recording-client';
import type { ExecuteBlock } from './execute-block';
import type { CaseProof } from './proof-schema';
import { stateReads } from './state-reads';

export interface ProofSources {
  /** What was read so far, and what the execution reads from now on. */
  readonly client: RecordingClient;
  /** The chain's node, which has the proofs. */
  readonly node: RpcClient;
  /** Number of the block, and of the transactions in it up to the one that the case is about. */
  readonly number: Hex;
  readonly count: number;
  readonly execute: ExecuteBlock;
}

/** Requests of proofs at a time. */
const AT_A_TIME = 16;
/** Slots in one request. */
const SLOTS = 256;

/**
 * Collects what proves a case: headers, transactions, receipts, and the proofs of all state that was read after the parent.
 * @throws ApiError `upstreamLacksData` if the node has no proofs; errors of the node
 */
export async function collectProof(
  { client, node, number, count, execute }: ProofSources,
  signal: AbortSignal,
): Promise<CaseProof> {
  const block = (await client.request('eth_getBlockByNumber', [number, true], {
    signal,
  })) as RpcBlock;
  const parentNumber = toQuantity(BigInt(number) - 1n);
  const parent = (await client.request('eth_getBlockByNumber', [parentNumber, false], {
    signal,
  })) as CaseProof['parent'];
  await execute(client, block, count, signal);
  const receipts = await Promise.all(
    block.transactions.map(({ hash }) => client.request('eth_getTransactionReceipt', [hash])),
  );
  const reads = stateReads(client.kept.list(), { number: parentNumber, hash: block.parentHash });
  const accounts: CaseProof['accounts'] = [];
  const codes: CaseProof['codes'] = {};
  const waiting = [...reads];
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [address, slots] = next;
      accounts.push(await proofOf(node, address, [...slots], parentNumber, signal));
      const code = await client.request('eth_getCode', [address, parentNumber], { signal });
      if (code !== '0x') codes[address] = code as Hex;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  accounts.sort((a, b) => (a.address < b.address ? -1 : 1));
  return {
    block: block as unknown as CaseProof['block'],
    parent,
    receipts: receipts as CaseProof['receipts'],
    accounts,
    codes,
  };
}

async function proofOf(
  node: RpcClient,
  address: Address,
  slots: readonly bigint[],
  block: Hex,
  signal: AbortSignal,
): Promise<CaseProof['accounts'][number]> {
  const pages = Array.from({ length: Math.max(1, Math.ceil(slots.length / SLOTS)) }, (_, page) =>
    slots.slice(page * SLOTS, (page + 1) * SLOTS),
  );
  const answers: CaseProof['accounts'] = [];
  for (const page of pages) {
    const params = [address, page.map((slot) => toWord(slot)), block];
    const answer = await node
      .request('eth_getProof', params, { signal })
      .catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new ApiError(
          'upstreamLacksData',
          `the chain's node gives no proof of ${address} after block ${Number(block)} (eth_getProof: ${(error as Error).message}); leave out the proofs, or use an archive node that has them`,
        );
      });
    answers.push(answer as CaseProof['accounts'][number]);
  }
  const accountProof = answers[0]?.accountProof ?? [];
  const storageProof = answers.flatMap((answer) =>
    answer.storageProof.map(({ key, proof }) => ({ key: toQuantity(BigInt(key)), proof })),
  );
  return { address, accountProof, storageProof };
}
