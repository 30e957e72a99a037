import type { BisectBody, Bisection } from '../api/bisect';
import type { NewCode } from '../api/new-code';
import type { Address } from '../api/primitives';
import type { RegressBody, Regression, Touching, TouchingBody } from '../api/regress';
import type { OtherBlock, ReorderBody } from '../api/reorder';
import type { UpgradeCheck } from '../api/upgrade-check';
import type { Handlers } from './context';
import type { LongOperation } from './services';
import { waitOptions } from './wait-options';

/** Questions to the past of a chain. */
export interface HistoryService {
  /** @param user the caller, whose ABIs and labels apply */
  bisect(chain: string, body: BisectBody, user: string, options: LongOperation): Promise<Bisection>;
  /** @param user the caller, whose ABIs apply */
  checkUpgrade(
    chain: string,
    proxy: Address,
    newCode: NewCode,
    user: string,
    signal: AbortSignal,
  ): Promise<UpgradeCheck>;
  touching(
    chain: string,
    address: Address,
    body: TouchingBody,
    signal: AbortSignal,
  ): Promise<Touching>;
  /** @param user the caller, whose artifacts apply */
  regress(
    chain: string,
    address: Address,
    body: RegressBody,
    user: string,
    options: LongOperation,
  ): Promise<Regression>;
  /** @param user the caller, whose ABIs apply */
  reorder(
    chain: string,
    body: ReorderBody,
    user: string,
    options: LongOperation,
  ): Promise<OtherBlock>;
}

/** Handlers of the operations that ask the past of a chain. */
export function historyHandlers(
  history: HistoryService,
): Pick<Handlers, 'bisect' | 'checkUpgrade' | 'findTouching' | 'regress' | 'reorder'> {
  return {
    bisect: async ({ params: { chain }, body }, context) => {
      return history.bisect(chain, body, context.user.userId, waitOptions(context));
    },
    findTouching: async ({ params: { chain, address }, body }, { signal }) =>
      history.touching(chain, address, body, signal),
    regress: async ({ params: { chain, address }, body }, context) => {
      return history.regress(chain, address, body, context.user.userId, waitOptions(context));
    },
    reorder: async ({ params: { chain }, body }, context) =>
      history.reorder(chain, body, context.user.userId, waitOptions(context)),
    checkUpgrade: async ({ params: { chain, address }, body: { newCode } }, context) => {
      const { user, signal } = context;
      return history.checkUpgrade(chain, address, newCode, user.userId, signal);
    },
  };
}
