import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';

/** The command that writes a Foundry test, which is in a bundle of its own. */
export function foundryTestCommand(
  context: CommandContext,
): Pick<Commands, 'forklens.createFoundryTest'> {
  return {
    'forklens.createFoundryTest': async (given) => {
      const { createFoundryTest } = await import('./create-foundry-test');
      await createFoundryTest(context, given);
    },
  };
}
