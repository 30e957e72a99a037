import * as l10n from '@vscode/l10n';
import { invalidField } from '../../../server/api/errors';
import { grouped } from '../../../server/client/format';
import { disassemble } from './instructions';
import type { Handlers } from './requests';
import type { Ready } from './viewed';

type SourceRequest =
  | 'source'
  | 'loadedSources'
  | 'disassemble'
  | 'breakpointLocations'
  | 'gotoTargets'
  | 'forklens/lines';

/** Handles the requests that read sources, instructions, and which lines were executed. */
export function sourceViews(ready: Ready): Handlers<SourceRequest> {
  return {
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
  };
}
