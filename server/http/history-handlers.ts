import type { Handlers } from './context';
import type { HistoryService } from './services';
import { waitOptions } from './wait-options';

/** Handlers of the operations that ask the past of a chain. */
export function historyHandlers(
  history: HistoryService,
): Pick<Handlers, 'bisect' | 'checkUpgrade' | 'findTouching' | 'regress'> {
  return {
    bisect: async ({ params: { chain }, body }, context) => {
      return history.bisect(chain, body, context.user.userId, waitOptions(context));
    },
    findTouching: async ({ params: { chain, address }, body }, { signal }) =>
      history.touching(chain, address, body, signal),
    regress: async ({ params: { chain, address }, body }, context) => {
      return history.regress(chain, address, body, context.user.userId, waitOptions(context));
    },
    checkUpgrade: async ({ params: { chain, address }, body: { newCode } }, context) => {
      const { user, signal } = context;
      return history.checkUpgrade(chain, address, newCode, user.userId, signal);
    },
  };
}
