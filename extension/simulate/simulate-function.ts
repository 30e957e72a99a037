import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { ForkContracts } from '../model/fork-contracts';

/** Commands on a function of a source. What they ask for is in a bundle of its own, which encodes calls. */
export function simulateFunctionCommand(
  context: CommandContext,
  contracts: Pick<ForkContracts, 'of'>,
): Pick<Commands, 'forklens.simulateFunction' | 'forklens.debugFunction'> {
  return {
    'forklens.simulateFunction': async (target) => {
      const { askSimulation } = await import('./simulate-bundle');
      context.inspector.openSimulation(await askSimulation(context, contracts, target));
    },

    'forklens.debugFunction': async (target) =>
      (await import('./simulate-bundle')).debugFunction(context, contracts, target),
  };
}
