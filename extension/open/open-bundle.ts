// Entry of a bundle of its own: it encodes and decodes, which needs a library that most windows never load.
import '../editor/translations';
import type { CommandContext } from '../model/command-context';
import { askWhat, type Known } from './ask-what';
import { perform } from './perform';

export { showParties } from './show-parties';
export { chooseSignature, copyData, simulateData } from '../decoded-data/data-actions';

/** Asks what to open, and opens it. @throws UserCancelledError, ApiError */
export async function openAnything(context: CommandContext): Promise<void> {
  await perform(context, await askWhat(() => known(context)));
}

async function known({ client }: CommandContext): Promise<Known> {
  const [chains, labels] = await Promise.all([
    client.call('listChains', {}),
    client.call('listLabels', {}),
  ]);
  return { chains, labels };
}
