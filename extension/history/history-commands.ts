import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';

/** Commands that ask the past of a chain. What they do is in a bundle of its own. */
export function historyCommands(
  context: CommandContext,
): Pick<Commands, 'forklens.whenDidThisChange' | 'forklens.whatWouldHaveHappened'> {
  return {
    'forklens.whenDidThisChange': async (target) => {
      const { whenDidThisChange } = await import('./when-changed');
      await whenDidThisChange(context, target);
    },
    'forklens.whatWouldHaveHappened': async ({ node }) => {
      const { whatWouldHaveHappened } = await import('./what-would-have-happened');
      await whatWouldHaveHappened(context, node);
    },
  };
}
