import * as z from 'zod';
import type { Hash, Hex } from '../../api/primitives';
import type { MinedTransaction, Network } from '../ports';
import type { Scene } from '../summary/scene';
import { approvalsToAccounts, approvalsToCheck } from './accounts';
import type { Finding } from './finding';
import {
  brackets,
  netOfLog,
  ownSwaps,
  sandwiches,
  SWAP_TOPICS,
  type BlockSwap,
  type Parties,
} from './sandwich';

const MAX_POOLS = 16;
/** Swaps of a block, and pairs around the own swaps, that are read. */
const MAX_LOGS = 2_000;
const MAX_PAIRS = 16;
const MAX_SPENDERS = 20;
/** EIP-7702: an account that its key still controls. */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase() as Hex);
const logsSchema = z
  .array(
    z.object({
      address: hex,
      data: hex,
      topics: z.array(hex),
      transactionHash: hex,
      transactionIndex: hex,
    }),
  )
  .max(MAX_LOGS);
const partiesSchema = z.object({ from: hex, to: hex.nullable().default(null) });

/**
 * Findings that need more than the trace: other transactions of the block, and the code of accounts. What cannot be read is not found.
 */
export async function readFindings(
  scene: Scene,
  network: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<Finding[]> {
  const reads = [approvalFindings, sandwichFindings].map((read) =>
    read(scene, network, mined, signal),
  );
  const found = await Promise.allSettled(reads);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

async function approvalFindings(
  scene: Scene,
  { rpc }: Network,
  { block }: MinedTransaction,
  signal: AbortSignal,
): Promise<Finding[]> {
  const approvals = approvalsToCheck(scene);
  const spenders = [...new Set(approvals.map(({ spender }) => spender))].slice(0, MAX_SPENDERS);
  if (spenders.length === 0) return [];
  const codes = await rpc.requestAll(
    spenders.map((spender) => ({ method: 'eth_getCode', params: [spender, block.number] })),
    { signal },
  );
  const hasCode = new Map(
    spenders.flatMap((spender, index) => {
      const code = codes[index];
      const text = code?.status === 'fulfilled' ? hex.safeParse(code.value).data : undefined;
      return text === undefined ? [] : [[spender, text !== '0x' && !DELEGATION.test(text)]];
    }),
  );
  return approvalsToAccounts(approvals, (account) => hasCode.get(account));
}

async function sandwichFindings(
  scene: Scene,
  { rpc }: Network,
  { block, receipt, transaction }: MinedTransaction,
  signal: AbortSignal,
): Promise<Finding[]> {
  const pools = [...new Set(ownSwaps(scene).map(({ address }) => address))].slice(0, MAX_POOLS);
  if (pools.length === 0) return [];
  const filter = { blockHash: block.hash, address: pools, topics: [SWAP_TOPICS] };
  const logs = logsSchema.parse(await rpc.request('eth_getLogs', [filter], { signal }));
  const swaps = logs.flatMap(({ address, data, topics, transactionHash, transactionIndex }) => {
    const net = netOfLog(topics[0], data);
    const index = Number(transactionIndex);
    if (!net) return [];
    return { transaction: transactionHash, index, pool: address, net };
  });
  const pairs = brackets(scene, Number(receipt.transactionIndex), swaps).slice(0, MAX_PAIRS);
  if (pairs.length === 0) return [];
  const hashes = [...new Set(pairs.flatMap(({ before, after }) => hashesOf(before, after)))];
  const answers = await rpc.requestAll(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    { signal },
  );
  const parties = new Map<Hash, Parties>();
  for (const [index, hash] of hashes.entries()) {
    const answer = answers[index];
    const found = answer?.status === 'fulfilled' && partiesSchema.safeParse(answer.value).data;
    if (found) parties.set(hash, found);
  }
  const own = { from: transaction.from, to: transaction.to ?? null };
  return sandwiches(pairs, own, (hash) => parties.get(hash));
}

const hashesOf = (...swaps: readonly BlockSwap[]): Hash[] =>
  swaps.map(({ transaction }) => transaction);
