import type { LocatedExecution } from '../../analysis/executed-transaction';
import { ApiError } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { WaitOptions } from '../../kernel/async/shared-cache';
import type { ExecutionSource } from './ports';
import type { Recordings } from './recordings';

/** Finds the executions of transactions, and of simulations by the ids of their recordings. */
export class RecordedExecutions {
  constructor(
    private readonly transactions: {
      locate(
        request: Parameters<ExecutionSource['locate']>[0],
        options: WaitOptions,
      ): Promise<LocatedExecution>;
    },
    private readonly recordings: Pick<Recordings, 'open'>,
  ) {}

  /** @throws ApiError as `ExecutionLocator.locate`, and for simulations as `Recordings.open` */
  async locate(
    request: { readonly chain: string; readonly hash: Hash; readonly user?: string },
    options: WaitOptions,
  ): Promise<LocatedExecution> {
    try {
      return await this.transactions.locate(request, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'transactionNotFound') throw error;
    }
    const { chain, hash, user } = request;
    const key = { chain, transaction: hash, ...(user !== undefined && { user }) };
    const { located } = (await this.recordings.open(key, options)).recorded;
    const { executed } = located;
    const { mined } = executed;
    // The id of a simulation stands for the hash, which an unsigned transaction has not.
    const transaction = { ...mined.transaction, hash };
    return { ...located, executed: { ...executed, mined: { ...mined, transaction } } };
  }
}
