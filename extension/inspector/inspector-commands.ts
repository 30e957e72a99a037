import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';

/** Commands that other commands and the inspectors run. */
export function inspectorCommands({
  inspector,
}: CommandContext): Pick<Commands, 'forklens.showSimulation'> {
  return {
    'forklens.showSimulation': (simulation) => {
      inspector.openSimulation(simulation);
      return Promise.resolve();
    },
  };
}
