import { ApiError } from '../../../server/api/errors';
import type { Variable } from '../../../server/api/recording';
import { messageOf } from './known-errors';
import type { Handlers } from './requests';
import { dataBreakpointInfo } from './variables';
import { callAt, type Ready } from './viewed';

type BreakpointRequest =
  | 'setBreakpoints'
  | 'setFunctionBreakpoints'
  | 'setInstructionBreakpoints'
  | 'setExceptionBreakpoints'
  | 'setDataBreakpoints'
  | 'dataBreakpointInfo'
  | 'forklens/breakpoints';

/** Handles the requests that set breakpoints, and say where a value can have one. */
export function breakpointViews(ready: Ready): Handlers<BreakpointRequest> {
  return {
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

    'forklens/breakpoints': async () => ({
      breakpoints: await (await ready()).breakpoints.placed(),
    }),

    dataBreakpointInfo: async ({ variablesReference, name, frameId }) => {
      const { recorded, stop, breakpoints } = await ready();
      const shown =
        variablesReference === undefined
          ? undefined
          : stop.variables.named(variablesReference, name);
      let variable: Variable;
      try {
        variable =
          shown ?? (await recorded.evaluate(stop.step, name, await callAt(ready, frameId)));
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'invalidField') throw error;
        return { dataId: null, description: messageOf(error) };
      }
      const info = dataBreakpointInfo(variable, variable.expression ?? name);
      if (info.dataId !== null) {
        breakpoints.places.nameSlot(info.dataId, info.description, variable.type);
      }
      return info;
    },
  };
}
