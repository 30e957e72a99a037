import type { Address, Hex } from '../../api/primitives';
import type { Step } from '../call-frame';

/** A read-only call whose answer is one word. */
export interface Question {
  readonly to: Address;
  readonly data: Hex;
}

/** Answers in the state before the transaction; undefined where the state is not known for certain. */
export type Ask = (questions: readonly Question[]) => Promise<readonly (bigint | undefined)[]>;

const argument = (value: Address): string => value.slice(2).padStart(64, '0');

export const allowanceOf = (to: Address, owner: Address, spender: Address): Question => ({
  to,
  data: `0xdd62ed3e${argument(owner)}${argument(spender)}`,
});
export const balanceOf = (to: Address, account: Address): Question => ({
  to,
  data: `0x70a08231${argument(account)}`,
});
export const ownerOf = (to: Address): Question => ({ to, data: '0x8da5cb5b' });
export const isPaused = (to: Address): Question => ({ to, data: '0x5c975abb' });

/** A word that a call returned. */
export const wordOf = (output: string): bigint | undefined =>
  /^0x[0-9a-f]{64}$/.test(output) ? BigInt(output) : undefined;

/** Whether a call of a contract can change its answers: static and delegated calls cannot. */
const mayChange = (step: Step, contract: Address): boolean =>
  !step.log &&
  step.frame.to === contract &&
  step.frame.type !== 'STATICCALL' &&
  step.frame.type !== 'DELEGATECALL';

/**
 * The answer to a question in the trace, at a failed call: the last call that asked it, if nothing called the contract between them.
 * @param before the failed call
 */
export function answerInTrace(
  steps: readonly Step[],
  { to, data }: Question,
  before: Step,
): { readonly answer: bigint; readonly nodeId: number } | undefined {
  for (let id = before.id - 1; id >= 0; id--) {
    const step = steps[id];
    if (!step || step.log || step.frame.to !== to) continue;
    const answer = step.frame.input === data ? wordOf(step.frame.output) : undefined;
    if (step.frame.error === undefined && answer !== undefined) return { answer, nodeId: id };
    if (mayChange(step, to)) return undefined;
  }
  return undefined;
}

/** Whether nothing that precedes a call can have changed what a contract answers since the start of the transaction. */
export const isUntouched = (steps: readonly Step[], contract: Address, before: Step): boolean =>
  !steps.slice(0, before.id).some((step) => mayChange(step, contract));
