import { ApiError } from '../../api/errors';
import type { Hash, Hex } from '../../api/primitives';
import type { VerifiedCase } from '../../api/cases';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { compareReceipts } from '../../execution/prefix/compare-receipts';
import { refusal } from '../container/container-head';
import type { ExecuteBlock } from './execute-block';
import { headerHash } from './header-hash';
import { receiptsRoot, transactionsRoot } from './list-roots';
import type { CaseProof } from './proof-schema';
import { ProvedClient, provedAccounts } from './proved-state';

/** A case to be proved. */
export interface ToVerify {
  readonly transaction: Hash;
  readonly block: { readonly number: Hex; readonly hash: Hash; readonly position: number };
  readonly chainId: number;
  readonly proof: CaseProof | undefined;
  /** Answers from the file, whose state nothing proves. */
  readonly client: RpcClient;
  readonly execute: ExecuteBlock;
}

type Verdict = Pick<VerifiedCase, 'level' | 'why'>;

/**
 * Executes a case again on the second executor, and checks what proves it.
 * @returns the highest level that it reached, and why not a higher one
 * @throws ApiError `caseRefused` for a proof that is false, or an execution that does not have the result that the file states
 */
export async function verifyCase(given: ToVerify, signal: AbortSignal): Promise<Verdict> {
  const { proof } = given;
  if (!proof) {
    await executed(given, await blockIn(given, signal), signal);
    return { level: 'executed', why: 'the file holds no proofs' };
  }
  const block = proof.block as unknown as RpcBlock;
  checkHeaders(given, proof, block);
  const why = await unprovedLists(proof, block, signal);
  if (why !== undefined) {
    await executed(given, block, signal);
    return { level: 'executed', why };
  }
  const root = (proof.parent as { stateRoot: Hash }).stateRoot;
  const accounts = await provedAccounts(proof, root, signal);
  const parent = toQuantity(BigInt(given.block.number) - 1n);
  try {
    await executed({ ...given, client: new ProvedClient(accounts, parent) }, block, signal);
    return { level: 'state' };
  } catch (error) {
    if (!isMissing(error)) throw error;
    await executed(given, block, signal);
    return {
      level: 'receipts',
      why: `the file holds no proof of all that is read: ${error.message}`,
    };
  }
}

/** @throws ApiError `caseRefused` */
function checkHeaders(
  { block: { number, hash, position }, transaction, chainId }: ToVerify,
  { parent, receipts }: CaseProof,
  block: RpcBlock,
): void {
  if (headerHash({ ...block }) !== hash || block.number !== number) {
    throw refusal(`the header of its block does not have the hash ${hash}`);
  }
  if (headerHash(parent) !== block.parentHash) {
    throw refusal(`the header of the parent does not have the hash ${block.parentHash}`);
  }
  const target = block.transactions[position];
  if (target?.hash !== transaction) {
    throw refusal(`transaction ${transaction} is not at position ${position} of its block`);
  }
  if (target.chainId !== undefined && Number(target.chainId) !== chainId) {
    throw refusal(
      `its transaction is of chain ${Number(target.chainId)}, and it states ${chainId}`,
    );
  }
  if (receipts.length !== block.transactions.length) {
    throw refusal(
      `it has ${receipts.length} receipts for ${block.transactions.length} transactions`,
    );
  }
}

/** Why transactions and receipts cannot be proved; undefined if they are. @throws ApiError `caseRefused` if they do not fit the header */
async function unprovedLists(
  { receipts }: CaseProof,
  block: RpcBlock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const roots = block as RpcBlock & { transactionsRoot: Hash; receiptsRoot: Hash };
  const list = receipts as unknown as RpcReceipt[];
  let found: Hash;
  try {
    found = await transactionsRoot(block.transactions, signal);
  } catch (error) {
    signal.throwIfAborted();
    return `the transactions of the block cannot be proved: ${(error as Error).message}`;
  }
  if (found !== roots.transactionsRoot) {
    throw refusal('the transactions of the block do not have the root in its header');
  }
  const receipted = await receiptsRoot(list, signal).catch(() => undefined);
  signal.throwIfAborted();
  if (receipted !== roots.receiptsRoot) {
    throw refusal('the receipts of the block do not have the root in its header');
  }
  checkNumbers(list, block);
  return undefined;
}

/** What receipts state besides what their root covers. @throws ApiError `caseRefused` */
function checkNumbers(receipts: readonly RpcReceipt[], { transactions }: RpcBlock): void {
  let before = 0n;
  for (const [index, { gasUsed, cumulativeGasUsed, transactionHash }] of receipts.entries()) {
    const after = BigInt(cumulativeGasUsed);
    if (after - before !== BigInt(gasUsed) || transactionHash !== transactions[index]?.hash) {
      throw refusal(`receipt ${index} does not fit the others and its transaction`);
    }
    before = after;
  }
}

/** @throws ApiError `caseRefused` if the results are others than in the file */
async function executed(
  { client, execute, block: { position }, proof, transaction }: ToVerify,
  block: RpcBlock,
  signal: AbortSignal,
): Promise<void> {
  const count = position + 1;
  const results = await execute(client, block, count, signal);
  const expected = proof
    ? (proof.receipts as unknown as RpcReceipt[]).slice(0, count)
    : [await client.request('eth_getTransactionReceipt', [transaction])];
  const actual = proof ? results : results.slice(position);
  const { firstDifference } = compareReceipts(actual, expected as RpcReceipt[]);
  if (firstDifference === undefined) return;
  throw refusal(`executed again, it has another result: ${firstDifference}`);
}

async function blockIn({ client, block }: ToVerify, signal: AbortSignal): Promise<RpcBlock> {
  const found = await client.request('eth_getBlockByNumber', [block.number, true], { signal });
  if (found === null) throw refusal('it does not contain its block');
  return found as RpcBlock;
}

const isMissing = (error: unknown): error is Error =>
  error instanceof RpcError || (error instanceof ApiError && error.kind === 'upstreamLacksData');
