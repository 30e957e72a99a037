import type { CaseShown, WrittenAnalysis } from '../api/case-content';
import type { OpenCaseView, VerifiedCase, WrittenCase } from '../api/cases';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { LIMITS } from '../api/limits';
import type { Hash } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import { withDeadline } from '../kernel/async/with-deadline';
import { KeptClient } from '../chains/upstream/kept-client';
import { readCase, type CaseContent, type CasePart } from './case-file';
import { analysesOf, chainOf } from './case-subject';
import { refusal } from './container/container-head';
import type { ExecuteBlock } from './proof/execute-block';
import type { OpenCase, OpenCases } from './open-cases';

/** What is written into which file. */
export interface CaseRequest {
  readonly analyses: readonly WrittenAnalysis[];
  /** Undefined: an inspector. */
  readonly shown?: CaseShown | undefined;
  /** Absolute path. */
  readonly file: string;
  /** Of one transaction of a chain. */
  readonly prove: boolean;
  /** Id of the user whose labels and ABIs count. */
  readonly user: string;
}

interface Written extends CaseContent {
  readonly id: string;
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
    const { id, bytes, parts, shown } = await this.record(request, options);
    const named = parts.map(({ subject }) => ({ slug: subject.chain.slug, subject }));
    const hasProof = parts.some(({ proof }) => proof !== undefined);
    return { ...viewOf({ id, parts: named, shown, hasProof }), file: request.file, bytes };
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
    const { id, parts, shown } = await readCase(file, signal);
    const { subject, answers, proof, block, transaction } = verifiable(parts);
    const { chain } = subject;
    if (hash !== undefined && hash !== block.hash) {
      throw refusal(`it is of block ${block.hash}, and ${hash} was given`);
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
    const part = { slug: chain.slug, subject };
    const view = viewOf({ id, parts: [part], shown, hasProof: proof !== undefined });
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

/**
 * The part with the only transaction of a case.
 * @throws ApiError `caseRefused` for a case that no block proves
 */
function verifiable(parts: readonly CasePart[]) {
  const [part, ...others] = parts;
  const [analysis, ...more] = part?.subject.analyses ?? [];
  if (!part || !analysis || others.length + more.length > 0) {
    throw refusal('it has more than one analysis; a case of one transaction can be verified');
  }
  if (!('transaction' in analysis)) throw refusal('it is about a simulation, which no block has');
  if (part.subject.chain.isFork) {
    throw refusal('it is about a transaction on a fork, whose blocks prove nothing');
  }
  const { block, transaction } = analysis;
  return { ...part, block, transaction };
}

function viewOf({
  id,
  parts,
  shown,
  hasProof,
}: Omit<OpenCase, 'isOnline'>): Omit<OpenCaseView, 'chain' | 'online'> {
  const subjects = parts.map(({ subject }) => subject);
  const analyses = analysesOf(subjects, (_, part) => parts[part]?.slug ?? '');
  const [first] = analyses;
  const { subject } = parts.find(({ slug }) => slug === first?.chain) ?? {};
  if (!first || !subject) throw new Error('a case has an analysis');
  const { slug, chainId } = subject.chain;
  const { block } = first;
  return {
    id,
    ...('transaction' in first ? { transaction: first.transaction } : {}),
    block,
    analyses,
    ...(shown === undefined ? {} : { shown }),
    ofChain: slug,
    chainId,
    hasProof,
  };
}

function openView(open: OpenCase): OpenCaseView {
  const view = viewOf(open);
  return { ...view, chain: view.analyses[0]?.chain ?? '', online: open.isOnline };
}
