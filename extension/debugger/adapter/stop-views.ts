import * as l10n from '@vscode/l10n';
import type { Variable } from '../../../server/api/recording';
import { completions } from './completions';
import { readMemory } from './memory';
import type { Handlers } from './requests';
import { stackFrames } from './stack-frames';
import { inHex, valueText, withSeparators } from './variables';
import { callAt, type Ready } from './viewed';

const MOST_VALUES = 40;

type StopRequest =
  | 'stackTrace'
  | 'scopes'
  | 'variables'
  | 'evaluate'
  | 'completions'
  | 'exceptionInfo'
  | 'readMemory'
  | 'forklens/values';

/** Handles the requests that read what the stop shows: the call stack, values, memory, the failure. */
export function stopViews(ready: Ready): Handlers<StopRequest> {
  return {
    stackTrace: async (args) => {
      const { recorded, stop, ...more } = await ready();
      return stackFrames(recorded, more, await recorded.step(stop.step), args);
    },

    scopes: async ({ frameId }) => {
      const { stop } = await ready();
      return { scopes: stop.variables.scopes(await callAt(ready, frameId)) };
    },

    variables: async ({ variablesReference, start, count, filter, format }) => {
      const { stop } = await ready();
      const page = { start, count, isHex: format?.hex };
      return { variables: await stop.variables.children(variablesReference, page, filter) };
    },

    evaluate: async ({ expression, frameId, format, context }) => {
      const { recorded, stop } = await ready();
      const { names } = recorded;
      const call = await callAt(ready, frameId);
      const found = await recorded.evaluate(stop.step, expression, call);
      const isHover = context === 'hover';
      const isWhole = isHover || context === 'repl';
      const variable =
        format?.hex === true ? inHex(found) : isHover ? withSeparators(found) : found;
      const scope = variable.location === 'storage' ? 'state' : 'locals';
      const shown = stop.variables.shown(variable, scope, call);
      const { variablesReference, indexedVariables, memoryReference, presentationHint } = shown;
      return {
        result: context === 'clipboard' ? valueText(variable) : valueText(variable, names, isWhole),
        type: variable.type,
        variablesReference,
        ...(indexedVariables !== undefined && { indexedVariables }),
        ...(memoryReference !== undefined && { memoryReference }),
        ...(presentationHint !== undefined && { presentationHint }),
      };
    },

    completions: async ({ text, column, line = 1, frameId }) => {
      const { recorded, stop, lines } = await ready();
      const row = text.split('\n')[lines.fromClient(line) - 1] ?? text;
      const at = { step: stop.step, call: await callAt(ready, frameId) };
      return { targets: await completions(recorded, at, row, lines.fromClient(column)) };
    },

    exceptionInfo: async () => {
      const { recorded, stop } = await ready();
      const { failure = stop.text, uncertain } = await recorded.step(stop.step);
      // The name of a custom error, or of a panic.
      const [, name = l10n.t('revert')] = /^([A-Za-z_$][\w$]*)\(/.exec(failure) ?? [];
      return {
        exceptionId: name,
        breakMode: 'always',
        description:
          uncertain === undefined
            ? failure
            : l10n.t('{0} (the line is not certain: {1})', failure, uncertain),
        details: { message: failure, typeName: name },
      };
    },

    readMemory: async (args) => {
      const { recorded, stop } = await ready();
      return readMemory(recorded, stop.step, args);
    },

    'forklens/values': async ({ names, frameId }) => {
      const { recorded, stop } = await ready();
      const call = await callAt(ready, frameId);
      const values = await Promise.all(
        names.slice(0, MOST_VALUES).map(async (name) => {
          const variable = await recorded.evaluate(stop.step, name, call).catch(() => undefined);
          return variable && isPlain(variable)
            ? { name, value: recorded.names.valueOf(variable) }
            : [];
        }),
      );
      return { values: values.flat() };
    },
  };
}

/** Whether a value fits beside a line: it is known, and is more than a number of members. */
const isPlain = ({ value, unavailable, children }: Variable): boolean =>
  unavailable === undefined && value !== '' && (children === undefined || /^[[{]/.test(value));
