import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { Debugging } from '../model/debugging';

/** Commands that execute transactions again with other code. What they do is in a bundle of its own. */
export function whatIfCommands(
  context: CommandContext,
  debugging: Debugging,
): Pick<Commands, 'forklens.runAgainWithCode'> {
  return {
    'forklens.runAgainWithCode': async (given) => {
      const { runAgain } = await import('./run-again');
      await runAgain(context, debugging, given);
    },
  };
}
