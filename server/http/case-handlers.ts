import { ApiError } from '../api/errors';
import type { Caller } from '../projects/access-keys';
import { isLocalUser } from '../projects/local-user';
import type { Handlers } from './context';
import type { CaseFiles } from './services';
import { waitOptions } from './wait-options';

type CaseHandlers = Pick<
  Handlers,
  'createCase' | 'openCase' | 'verifyCase' | 'listCases' | 'closeCase'
>;

/** Handlers of the operations on case files. */
export function caseHandlers(cases: CaseFiles): CaseHandlers {
  return {
    createCase: async ({ params, body }, context) => {
      requireLocalUser(context);
      const { chain, transaction } = params;
      const user = context.user.userId;
      return cases.create({ chain, transaction, ...body, user }, waitOptions(context));
    },
    openCase: async ({ body: { file } }, context) => {
      requireLocalUser(context);
      return cases.open(file, context.signal);
    },
    verifyCase: async ({ body: { file, hash } }, context) => {
      requireLocalUser(context);
      return cases.verify(file, hash, context.signal);
    },
    listCases: () => Promise.resolve(cases.list()),
    closeCase: async ({ params }, context) => {
      requireLocalUser(context);
      await cases.close(params.case);
      return null;
    },
  };
}

/** @throws ApiError `localUserOnly` */
function requireLocalUser({ user }: Caller): void {
  if (isLocalUser(user)) return;
  throw new ApiError(
    'localUserOnly',
    'only the local user of the machine of the service can have it read and write case files there',
  );
}
