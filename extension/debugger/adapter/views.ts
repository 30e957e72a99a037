import * as l10n from '@vscode/l10n';
import { ApiError, invalidField } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import { grouped } from '../../../server/client/format';
import type { Breakpoints } from './breakpoints';
import { completions } from './completions';
import { disassemble } from './instructions';
import { messageOf } from './known-errors';
import type { Launch } from './launch';
import type { Lines } from './lines';
import { readMemory } from './memory';
import type { RecordedTransaction } from './recorded-transaction';
import type { Handlers } from './requests';
import type { Sources } from './sources';
import { callOf, stackFrames } from './stack-frames';
import { dataBreakpointInfo, valueText, VariablesAt } from './variables';

/** A stop of the debugger. */
export interface Stop {
  step: number;
  /** What happened, in words. */
  text: string;
  variables: VariablesAt;
}

/** What the views show of a session. */
export interface Viewed {
  launch: Launch;
  recorded: RecordedTransaction;
  sources: Sources;
  breakpoints: Breakpoints;
  lines: Lines;
  stop: Stop;
}

/** @param text what happened, in words */
export const stopOf = async (
  recorded: RecordedTransaction,
  step: number,
  text = '',
): Promise<Stop> => ({
  step,
  text,
  variables: new VariablesAt(recorded, await recorded.step(step)),
});

const MOST_VALUES = 40;

/** The requests that read. */
type ViewRequest =
  | 'stackTrace'
  | 'scopes'
  | 'variables'
  | 'evaluate'
  | 'completions'
  | 'exceptionInfo'
  | 'source'
  | 'loadedSources'
  | 'disassemble'
  | 'readMemory'
  | 'breakpointLocations'
  | 'gotoTargets'
  | 'forklens/values'
  | 'forklens/lines'
  | 'setBreakpoints'
  | 'setFunctionBreakpoints'
  | 'setInstructionBreakpoints'
  | 'setExceptionBreakpoints'
  | 'setDataBreakpoints'
  | 'dataBreakpointInfo';

/** Handles the requests that read, and leave the debugger where it is. @param ready resolves when the recording is there */
export function viewHandlers(ready: () => Promise<Viewed>): Handlers<ViewRequest> {
  return {
    stackTrace: async (args) => {
      const { recorded, stop, ...more } = await ready();
      return stackFrames(recorded, more, await recorded.step(stop.step), args);
    },

    scopes: async ({ frameId }) => {
      const { stop } = await ready();
      return { scopes: stop.variables.scopes(await callAt(frameId)) };
    },

    variables: async ({ variablesReference, start, count, filter }) => {
      const { stop } = await ready();
      const page = { start, count };
      return { variables: await stop.variables.children(variablesReference, page, filter) };
    },

    evaluate: async ({ expression, frameId }) => {
      const { recorded, stop } = await ready();
      const call = await callAt(frameId);
      const variable = await recorded.evaluate(stop.step, expression, call);
      const scope = variable.location === 'storage' ? 'state' : 'locals';
      const shown = stop.variables.shown(variable, scope, call);
      const { variablesReference, indexedVariables, memoryReference, presentationHint } = shown;
      return {
        result: valueText(variable),
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
      const at = { step: stop.step, call: await callAt(frameId) };
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

    source: async ({ source, sourceReference }) => {
      const { sources } = await ready();
      const text = await sources.textOf(source?.sourceReference ?? sourceReference);
      if (text === undefined) {
        throw invalidField('sourceReference', sourceReference, 'one of a source of this session');
      }
      return text;
    },

    loadedSources: async () => ({ sources: await (await ready()).sources.all() }),

    disassemble: async (args) => {
      const { recorded, ...more } = await ready();
      return { instructions: await disassemble(recorded, more, args) };
    },

    readMemory: async (args) => {
      const { recorded, stop } = await ready();
      return readMemory(recorded, stop.step, args);
    },

    breakpointLocations: async ({ source, line, endLine = line }) => {
      const { recorded, sources, lines } = await ready();
      const file = await sources.fileOf(source);
      const executed = file === undefined ? [] : (await recorded.lines(file)).keys();
      const [first, last] = [lines.fromClient(line), lines.fromClient(endLine)];
      return {
        breakpoints: [...executed]
          .filter((one) => one >= first && one <= last)
          .sort((a, b) => a - b)
          .map((one) => ({ line: lines.toClient(one) })),
      };
    },

    gotoTargets: async ({ source, line }) => {
      const { recorded, sources, lines, stop } = await ready();
      const file = await sources.fileOf(source);
      const wanted = lines.fromClient(line);
      const executed =
        file && wanted >= 0 ? await recorded.lineNear(file, wanted, stop.step) : undefined;
      const { steps = [], first = 1, count = 0 } = executed ?? {};
      return {
        targets: steps.map((step, index) => {
          const numbers = [first + index, count, step].map(grouped);
          return { id: step, label: l10n.t('execution {0} of {1}, step {2}', ...numbers), line };
        }),
      };
    },

    'forklens/values': async ({ names, frameId }) => {
      const { recorded, stop } = await ready();
      const call = await callAt(frameId);
      const values = await Promise.all(
        names.slice(0, MOST_VALUES).map(async (name) => {
          const variable = await recorded.evaluate(stop.step, name, call).catch(() => undefined);
          return variable && isPlain(variable) ? { name, value: variable.value } : [];
        }),
      );
      return { values: values.flat() };
    },

    'forklens/lines': async ({ source }) => {
      const { recorded, sources, lines } = await ready();
      const file = await sources.fileOf(source);
      const executed = file === undefined ? [] : (await recorded.lines(file)).values();
      return {
        lines: [...executed].map(({ line, count, gas }) => ({
          line: lines.toClient(line),
          count,
          gas,
        })),
      };
    },

    setBreakpoints: async (args) => ({
      breakpoints: await (await ready()).breakpoints.setLines(args),
    }),
    setFunctionBreakpoints: async (args) => ({
      breakpoints: await (await ready()).breakpoints.setFunctions(args),
    }),
    setInstructionBreakpoints: async (args) => ({
      breakpoints: await (await ready()).breakpoints.setInstructions(args),
    }),
    setExceptionBreakpoints: async (args) => ({
      breakpoints: await (await ready()).breakpoints.setExceptions(args),
    }),
    setDataBreakpoints: async (args) => ({
      breakpoints: await (await ready()).breakpoints.setData(args),
    }),

    dataBreakpointInfo: async ({ variablesReference, name, frameId }) => {
      const { recorded, stop, breakpoints } = await ready();
      const shown =
        variablesReference === undefined
          ? undefined
          : stop.variables.named(variablesReference, name);
      let variable: Variable;
      try {
        variable = shown ?? (await recorded.evaluate(stop.step, name, await callAt(frameId)));
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'invalidField') throw error;
        return { dataId: null, description: messageOf(error) };
      }
      const info = dataBreakpointInfo(variable, variable.expression ?? name);
      if (info.dataId !== null) breakpoints.nameSlot(info.dataId, info.description);
      return info;
    },
  };

  /** The call of a frame; the innermost without one. @throws ApiError `invalidField` for a frame of another stop */
  async function callAt(frameId: number | undefined): Promise<number> {
    const { recorded, stop } = await ready();
    const { call, callStack } = await recorded.step(stop.step);
    if (frameId === undefined) return call;
    const wanted = callOf(frameId);
    if (callStack.some((entry) => entry.call === wanted)) return wanted;
    throw invalidField('frameId', frameId, l10n.t('a frame of the call stack'));
  }
}

/** Whether a value fits beside a line: it is known, and is more than a number of members. */
const isPlain = ({ value, unavailable, children }: Variable): boolean =>
  unavailable === undefined && value !== '' && (children === undefined || /^[[{]/.test(value));
