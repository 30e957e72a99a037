import type { OpenCaseView, VerifiedCase, WrittenCase } from '../api/cases';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import type { Hash } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import { withDeadline } from '../kernel/async/with-deadline';
import { KeptClient } from '../chains/upstream/kept-client';
import { chainOf, readCase, type CaseSubject } from './case-file';
import { refusal } from './container/container-head';
import type { ExecuteBlock } from './proof/execute-block';
import type { OpenCase, OpenCases } from './open-cases';

/** Which transaction is written into which file. */
export interface CaseRequest {
  readonly chain: string;
  readonly transaction: Hash;
  /** Absolute path. */
  readonly file: string;
  readonly prove: boolean;
  /** Id of the user whose labels and ABIs count. */
  readonly user: string;
}

interface Written {
  readonly id: string;
  readonly subject: CaseSubject;
  readonly hasProof: boolean;
  /** Size of the file. */
  readonly bytes: number;
}

interface LongOperation {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Case files as clients see them. */
export class CaseService {
  constructor(
    private readonly cases: Pick<OpenCases<unknown>, 'open' | 'list' | 'close'>,
    private readonly record: (request: CaseRequest, options: LongOperation) => Promise<Written>,
    /** The second executor, for a chain. */
    private readonly executeOn: (chain: Chain) => ExecuteBlock,
  ) {}

  /** @throws ApiError `chainNotFound`, `transactionNotFound`, and errors of the node */
  async create(request: CaseRequest, options: LongOperation): Promise<WrittenCase> {
    const { bytes, ...written } = await this.record(request, options);
    return { ...viewOf(written), file: request.file, bytes };
  }

  /** @param isOnline whether what the file lacks is read from its chain @throws ApiError `caseRefused` */
  async open(file: string, isOnline: boolean, signal: AbortSignal): Promise<OpenCaseView> {
    return openView(await this.cases.open(file, isOnline, signal));
  }

  /**
   * @param hash of the block, from someone the caller trusts
   * @throws ApiError `caseRefused`, `timedOut`
   */
  async verify(file: string, hash: Hash | undefined, signal: AbortSignal): Promise<VerifiedCase> {
    const { id, subject, answers, proof } = await readCase(file, signal);
    const { block, transaction, chain } = subject;
    if (hash !== undefined && hash !== block.hash) {
      throw refusal(`it is of block ${block.hash}, and ${hash} was given`);
    }
    if (chain.isFork) {
      throw refusal('it is about a transaction on a fork, whose blocks prove nothing');
    }
    const client = new KeptClient(answers, 'the case file');
    const execute = this.executeOn(chainOf(subject, chain.slug, undefined));
    const given = { transaction, block, chainId: chain.chainId, proof, client, execute };
    const { verifyCase } = await import('./proof/verify-case');
    const limits = { signal, timeoutMs: LIMITS.caseVerification, what: 'the verification' };
    const verdict = await withDeadline(limits, (limited) => verifyCase(given, limited)).catch(
      (error: unknown) => {
        throw error instanceof ApiError
          ? error
          : refusal(`it cannot be executed again: ${(error as Error).message}`);
      },
    );
    const view = viewOf({ id, subject, hasProof: proof !== undefined });
    return { ...view, ...verdict, trusted: hash !== undefined };
  }

  list(): OpenCaseView[] {
    return this.cases.list().map(openView);
  }

  /** @throws ApiError `caseNotFound` */
  close(chain: string): Promise<void> {
    return this.cases.close(chain);
  }
}

const viewOf = ({
  id,
  subject,
  hasProof,
}: Omit<Written, 'bytes'>): Omit<OpenCaseView, 'chain' | 'online'> => {
  const { transaction, block, chain } = subject;
  return { id, transaction, block, ofChain: chain.slug, chainId: chain.chainId, hasProof };
};

const openView = (open: OpenCase<unknown>): OpenCaseView => ({
  ...viewOf(open),
  chain: open.slug,
  online: open.isOnline,
});
