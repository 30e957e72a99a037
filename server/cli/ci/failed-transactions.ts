import { resolve } from 'node:path';
import type { ForkTransaction } from '../../api/fork';
import { CONTRACT_LIMITS } from '../../api/schema-limits';
import type { Analysis } from '../../api/views';
import type { Context } from '../command-handlers/context';
import { callOptions } from '../command-handlers/located-transaction';
import type { JobFork } from './job-forks';

/** A transaction that failed on a fork of the job. */
export interface FailedTransaction {
  /** Variable of the fork. */
  fork: string;
  forkId: string;
  transaction: ForkTransaction;
  /** null: it could not be made; `problem` says why. */
  analysis: Analysis | null;
  problem: string;
}

/** Analyses that are made for one job. Further failures are counted. */
const MAX_REPORTS = 50;
/** Newest transactions of a fork that are looked at. */
const MAX_LISTED = 10_000;

/** @returns the failed transactions of the forks, oldest first, and the number of those that are left out */
export async function failedTransactions(
  forks: readonly JobFork[],
  context: Context,
): Promise<{ failed: FailedTransaction[]; omitted: number }> {
  const failed: FailedTransaction[] = [];
  let omitted = 0;
  for (const job of forks) {
    const { fork, variable } = job;
    for (const transaction of await transactionsOf(job, context)) {
      if (transaction.status) continue;
      if (failed.length >= MAX_REPORTS) omitted++;
      else {
        const made = await analysisOf(fork.forkId, transaction.hash, context);
        failed.push({ fork: variable, forkId: fork.forkId, transaction, ...made });
      }
    }
  }
  return { failed, omitted };
}

async function transactionsOf(
  { projectId, fork }: JobFork,
  { connection: { client }, signal }: Context,
): Promise<ForkTransaction[]> {
  const params = { project_id: projectId, fork_id: fork.forkId };
  const found: ForkTransaction[] = [];
  for (let cursor: string | null | undefined; found.length < MAX_LISTED && cursor !== null;) {
    const query = {
      limit: CONTRACT_LIMITS.pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await client.call('listForkTransactions', { params, query }, { signal });
    found.push(...page.transactions);
    cursor = page.nextCursor;
  }
  return found.reverse();
}

async function analysisOf(
  chain: string,
  transaction: string,
  context: Context,
): Promise<Pick<FailedTransaction, 'analysis' | 'problem'>> {
  const { client } = context.connection;
  try {
    const params = { chain, transaction };
    const analysis = await client.call('getAnalysis', { params }, callOptions(context));
    return { analysis, problem: '' };
  } catch (error) {
    return { analysis: null, problem: (error as Error).message };
  }
}

/** Writes the case file of a failed transaction. @returns why there is none, empty if it was written */
export async function writeCaseOf(
  { forkId, transaction }: FailedTransaction,
  file: string,
  context: Context,
): Promise<string> {
  const { client } = context.connection;
  const request = {
    params: { chain: forkId, transaction: transaction.hash },
    body: { file: resolve(file), prove: false },
  };
  try {
    await client.call('createCase', request, callOptions(context, 'minutes'));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
