import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';

/** Commands that ask the past of a chain. What they do is in a bundle of its own. */
export function historyCommands(
  context: CommandContext,
): Pick<Commands, 'forklens.whenDidThisChange'> {
  return {
    'forklens.whenDidThisChange': async (target) => {
      const { whenDidThisChange } = await import('./when-changed');
      await whenDidThisChange(context, target);
    },
  };
}
