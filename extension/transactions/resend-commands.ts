import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';

/** Commands that change a transaction, then simulate it at its original position or send it on a fork. */
export const resendCommands = (
  context: CommandContext,
): Pick<Commands, 'forklens.resimulateTransaction' | 'forklens.resendTransaction'> => ({
  'forklens.resimulateTransaction': async (given) =>
    (await import('./resend-with-changes')).resimulate(context, given),
  'forklens.resendTransaction': async (given) =>
    (await import('./resend-with-changes')).resend(context, given),
});
