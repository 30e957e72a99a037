import type { RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { ExecutionState, StateOverride } from '../execution-state';
import type { MinedTransaction, Network } from '../ports';
import { wordOf, type Ask, type Question } from './question';

/** These calls run the contract's own code. */
const CALL_GAS = toQuantity(2_000_000n);

/**
 * Asks in the state before a transaction: what it touched is as before it, and everything else must have the same answer before and after
 * its block. Otherwise the answer is unknown.
 */
export function askBefore(
  network: Network,
  { block }: MinedTransaction,
  state: () => Promise<ExecutionState | undefined>,
  signal: AbortSignal,
): Ask {
  return async (questions) => {
    const number = BigInt(block.number);
    const known = questions.length === 0 || number === 0n ? undefined : await state();
    if (!known) return questions.map(() => undefined);
    const override = storageOf(known.before);
    const calls = questions.flatMap((question) => [
      callOf(question, toQuantity(number - 1n), override),
      callOf(question, toQuantity(number), override),
    ]);
    const outcomes = await network.rpc.requestAll(calls, { signal });
    const answers = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' && typeof outcome.value === 'string'
        ? wordOf(outcome.value.toLowerCase())
        : undefined,
    );
    return questions.map((_, index) =>
      answers[2 * index] === answers[2 * index + 1] ? answers[2 * index] : undefined,
    );
  };
}

const callOf = ({ to, data }: Question, block: string, state: StateOverride): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, gas: CALL_GAS }, block, state],
});

/** Storage and code only: a node may reject a balance above the supply of its currency. */
const storageOf = (state: StateOverride): StateOverride =>
  Object.fromEntries(
    Object.entries(state).flatMap(([address, { code, stateDiff }]) =>
      code === undefined && stateDiff === undefined
        ? []
        : [
            [
              address,
              {
                ...(code === undefined ? {} : { code }),
                ...(stateDiff === undefined ? {} : { stateDiff }),
              },
            ],
          ],
    ),
  );
