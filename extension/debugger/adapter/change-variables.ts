import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../server/api/client';
import { ApiError } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import { callOf as transactionCall, simulationAt } from '../../../server/client/transaction-call';
import type { ChangedSimulation } from '../../model/debugging';
import type { Launch } from './launch';
import type { RecordedTransaction } from './recorded-transaction';
import type { Handlers } from './requests';
import { callOf } from './stack-frames';
import { slotWord, type SlotWord } from './storage-word';
import type { Viewed } from './views';

interface Options {
  client: ApiClient;
  /** Resolves when the recording is there. */
  ready: () => Promise<Viewed>;
  signal: AbortSignal;
  /** Has the client debug the transaction again from its start, with the change before it. */
  simulate: (body: ChangedSimulation) => void;
}

const MOST_SLOTS = 1_000;

/** Handles the requests that change variables. A recording cannot be changed: the session continues as a simulation. */
export function changeHandlers({
  client,
  ready,
  signal,
  simulate,
}: Options): Handlers<'setVariable' | 'setExpression'> {
  return {
    setVariable: async ({ variablesReference, name, value }) => {
      const { stop } = await ready();
      const variable = stop.variables.named(variablesReference, name);
      if (variable === undefined) throw new ApiError('invalidField', notStored(name));
      return change(variable, value);
    },

    setExpression: async ({ expression, value, frameId }) => {
      const { recorded, stop } = await ready();
      const call = frameId === undefined ? undefined : callOf(frameId);
      return change(await recorded.evaluate(stop.step, expression, call), value);
    },
  };

  async function change(variable: Variable, text: string): Promise<{ value: string }> {
    const { launch, recorded, stop } = await ready();
    const whole = await wordBefore(recorded, stop.step, variable);
    const word = slotWord(variable, text, whole);
    const value = text.trim();
    const request = await simulationOf(client, launch, signal);
    const change = `${variable.expression ?? variable.name} = ${value}`;
    simulate({
      simulate: withSlot(request, word),
      changes: [...launch.changes, change],
    });
    return { value };
  }
}

const notStored = (name: string): string =>
  l10n.t('{0} is no variable in storage: it cannot be changed', name);

/** The word of a variable's slot before the transaction; undefined for a slot that the transaction does not touch. */
async function wordBefore(
  recorded: RecordedTransaction,
  step: number,
  { address, slot }: Variable,
): Promise<bigint | undefined> {
  if (address === undefined || slot === undefined) return undefined;
  const { callStack } = await recorded.step(step);
  const call = callStack.find((entry) => entry.address === address)?.call;
  if (call === undefined) return undefined;
  const query = { scope: 'storage', call, count: MOST_SLOTS } as const;
  const { variables } = await recorded.variables(step, query);
  const found = variables.find((one) => one.slot === slot);
  return found && BigInt(found.before ?? found.value);
}

/** The body of `simulate` that executes what a session debugs. */
async function simulationOf(
  client: ApiClient,
  { chain, hash, simulate = {} }: Launch,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (hash === undefined) return simulate;
  const params = { chain, transaction: hash };
  const flow = await client.call('getInvocationFlow', { params }, { signal });
  return { ...simulationAt(flow, transactionCall(flow)) };
}

/** Adds a slot to the overrides of a request that the service accepted. */
function withSlot(
  request: Record<string, unknown>,
  { address, slot, word }: SlotWord,
): Record<string, unknown> {
  type Override = Partial<Record<'state' | 'stateDiff', Record<string, string>>>;
  const overrides = (request['stateOverrides'] ?? {}) as Record<string, Override>;
  const key = Object.keys(overrides).find((one) => one.toLowerCase() === address) ?? address;
  const own = overrides[key] ?? {};
  const kind = own.state === undefined ? 'stateDiff' : 'state';
  const slots = { ...own[kind], [slot]: word };
  return { ...request, stateOverrides: { ...overrides, [key]: { ...own, [kind]: slots } } };
}
