import * as l10n from '@vscode/l10n';
import { ApiError, invalidField } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import type { ChangedSimulation } from '../../model/debugging';
import type { Launch } from './launch';
import type { RecordedTransaction } from './recorded-transaction';
import type { Handlers } from './requests';
import { callOf } from './stack-frames';
import {
  copiedWord,
  hexLiteral,
  isNamed,
  isText,
  isValue,
  slotWord,
  textWords,
  type SlotWords,
} from './storage-word';
import { Buffer } from 'node:buffer';
import type { Viewed } from './viewed';

interface Options {
  /** Resolves when the recording is there. */
  ready: () => Promise<Viewed>;
  /** Whether the recorded block was replaced. */
  isReplaced: () => boolean;
  /** Has the client debug the transaction again from its start, with the change before it. */
  simulate: (body: ChangedSimulation) => void;
}

/** The value of an expression at the stop; undefined for what is none. */
type Evaluate = (expression: string) => Promise<Variable | undefined>;

/** Handles the requests that change variables. A recording cannot be changed: the session continues as a simulation. */
export function changeHandlers({
  ready,
  isReplaced,
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
      return change(await recorded.evaluate(stop.step, expression, call), value, call);
    },
  };

  async function change(
    variable: Variable,
    text: string,
    call?: number,
  ): Promise<{ value: string }> {
    const { launch, recorded, stop } = await ready();
    const value = text.trim();
    const evaluate: Evaluate = (expression) =>
      recorded.evaluate(stop.step, expression, call).catch(() => undefined);
    const words = isText(variable.type)
      ? textWords(variable, await bytesOf(evaluate, variable, value))
      : await valueWords(
          evaluate,
          variable,
          value,
          await wordBefore(recorded, stop.step, variable),
        );
    if (isReplaced()) {
      const text = l10n.t(
        'the block of this transaction was replaced: debug the transaction again, then change {0}',
        variable.name,
      );
      throw new ApiError('invalidField', text);
    }
    const request = simulationOf(recorded, launch);
    const change = `${variable.expression ?? variable.name} = ${value}`;
    simulate({
      simulate: withSlots(request, words),
      changes: [...launch.changes, change],
    });
    return { value };
  }
}

const notStored = (name: string): string =>
  l10n.t('{0} is not a variable in storage: it cannot be changed', name);

/** The slot with a new value of a variable that has one word or less. */
async function valueWords(
  evaluate: Evaluate,
  variable: Variable,
  text: string,
  whole: bigint | undefined,
): Promise<SlotWords> {
  if (!isNamed(variable)) {
    return slotWord(variable, await plainValue(evaluate, variable, text), whole);
  }
  const { type } = variable;
  for (const expression of [text, `${type}(${text})`]) {
    const found = await evaluate(expression);
    if (found?.type === type && found.unavailable === undefined) {
      return copiedWord(variable, found, whole);
    }
  }
  const accepted = l10n.t('a value of {0}, or an expression such as {0}(…)', type);
  throw invalidField(variable.name, text, accepted);
}

/** A value as people write it, or of an expression of Solidity: `total + 1`, `bytes4(hex"01020304")`. */
async function plainValue(evaluate: Evaluate, variable: Variable, text: string): Promise<string> {
  if (isValue(variable, text)) return text;
  const expression = /^bytes[0-9]+$/.test(variable.type) ? `${variable.type}(${text})` : text;
  const evaluated = await evaluate(expression);
  return evaluated !== undefined && isValue(variable, evaluated.value) ? evaluated.value : text;
}

/** The bytes of a literal or of an expression; a `string` may also be a text without quotation marks. */
async function bytesOf(
  evaluate: Evaluate,
  { name, type }: Variable,
  text: string,
): Promise<Buffer> {
  const evaluated = await evaluate(`bytes(${text})`);
  const data = evaluated && hexLiteral(evaluated.value);
  if (data !== undefined) return data;
  if (type === 'string' && !/["']/.test(text)) return Buffer.from(text);
  throw invalidField(name, text, l10n.t('a literal such as "text" or hex"c0ffee"'));
}

/** The word of a slot that a variable shares, before the transaction; undefined where the variable has the whole slot. */
async function wordBefore(
  recorded: RecordedTransaction,
  step: number,
  { name, address, slot, length }: Variable,
): Promise<bigint | undefined> {
  if (address === undefined || slot === undefined || length === undefined) return undefined;
  const { callStack } = await recorded.step(step);
  const call = callStack.find((entry) => entry.address === address)?.call;
  if (call === undefined) return undefined;
  const { variables } = await recorded.variables(step, { scope: 'storage', call, reference: slot });
  const [found] = variables;
  if (found?.unavailable !== undefined) {
    throw new ApiError(
      'invalidField',
      l10n.t('{0} shares its slot with other variables, and {1}', name, found.unavailable),
    );
  }
  return found && BigInt(found.before ?? found.value);
}

/** The body of `simulate` that executes what a session debugs. */
function simulationOf(
  { recording }: RecordedTransaction,
  { hash, simulate = {} }: Launch,
): Record<string, unknown> {
  if (hash === undefined) return simulate;
  const { again } = recording;
  if (again !== undefined) return { ...again };
  throw new ApiError(
    'invalidField',
    l10n.t('The service cannot execute {0} again: update it.', hash),
  );
}

/** Adds slots to the overrides of a request that the service accepted. */
function withSlots(
  request: Record<string, unknown>,
  { address, words }: SlotWords,
): Record<string, unknown> {
  type Override = Partial<Record<'state' | 'stateDiff', Record<string, string>>>;
  const overrides = (request['stateOverrides'] ?? {}) as Record<string, Override>;
  const key = Object.keys(overrides).find((one) => one.toLowerCase() === address) ?? address;
  const own = overrides[key] ?? {};
  const kind = own.state === undefined ? 'stateDiff' : 'state';
  const slots = { ...own[kind], ...words };
  return { ...request, stateOverrides: { ...overrides, [key]: { ...own, [kind]: slots } } };
}
