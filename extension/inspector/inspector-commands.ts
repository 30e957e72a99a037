import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { goToStateWriter } from './go-to-state-writer';

/** Commands that other commands and the inspectors run. */
export function inspectorCommands({
  client,
  inspector,
}: CommandContext): Pick<Commands, 'forklens.showSimulation' | 'forklens.goToStateWriter'> {
  return {
    'forklens.showSimulation': (simulation) => {
      inspector.openSimulation(simulation);
      return Promise.resolve();
    },
    'forklens.goToStateWriter': (target) => goToStateWriter(client, target),
  };
}
