import type { CaseShown, WrittenAnalysis } from '../api/case-content';
import type { OpenCaseView, VerifiedCase, WrittenCase } from '../api/cases';
import type { Hash } from '../api/primitives';
import type { Handlers } from './context';
import { requireLocalUser } from './require-local-user';
import type { LongOperation } from './services';
import { waitOptions } from './wait-options';

/** Case files on the machine of the service. */
export interface CaseFiles {
  /** @param request.user the caller, whose labels and ABIs count */
  create(
    request: {
      analyses: readonly WrittenAnalysis[];
      shown?: CaseShown | undefined;
      file: string;
      prove: boolean;
      user: string;
    },
    options: LongOperation,
  ): Promise<WrittenCase>;
  /** @throws ApiError `caseRefused` */
  open(file: string, isOnline: boolean, signal: AbortSignal): Promise<OpenCaseView>;
  /** @param hash of the block, from someone the caller trusts @throws ApiError `caseRefused`, `timedOut` */
  verify(file: string, hash: Hash | undefined, signal: AbortSignal): Promise<VerifiedCase>;
  list(): OpenCaseView[];
  /** @throws ApiError `caseNotFound` */
  close(chain: string): Promise<void>;
}

type CaseHandlers = Pick<
  Handlers,
  'createCase' | 'writeCase' | 'openCase' | 'verifyCase' | 'listCases' | 'closeCase'
>;

const WHY =
  'only the local user of the machine of the service can have it read and write case files there';

/** Handlers of the operations on case files. */
export function caseHandlers(cases: CaseFiles): CaseHandlers {
  return {
    createCase: async ({ params, body }, context) => {
      requireLocalUser(context, WHY);
      const user = context.user.userId;
      return cases.create({ analyses: [params], ...body, user }, waitOptions(context));
    },
    writeCase: async ({ body }, context) => {
      requireLocalUser(context, WHY);
      const user = context.user.userId;
      return cases.create({ ...body, user }, waitOptions(context));
    },
    openCase: async ({ body: { file, online } }, context) => {
      requireLocalUser(context, WHY);
      return cases.open(file, online, context.signal);
    },
    verifyCase: async ({ body: { file, hash } }, context) => {
      requireLocalUser(context, WHY);
      return cases.verify(file, hash, context.signal);
    },
    listCases: () => Promise.resolve(cases.list()),
    closeCase: async ({ params }, context) => {
      requireLocalUser(context, WHY);
      await cases.close(params.case);
      return null;
    },
  };
}
