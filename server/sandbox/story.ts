import type { SandboxDirectory } from './directory';
import type { StoryStep } from './steps';
import { collectibleSteps } from './story/collectibles';
import { creationSteps, openingSteps } from './story/creations';
import { etherSteps } from './story/ether';
import { extremeSteps } from './story/extremes';
import { failureSteps } from './story/failures';
import { proxySteps, tokenSteps } from './story/tokens';
import { tradingSteps } from './story/trading';

/** The story by block. Hashes depend on the order: append, never insert. */
export function storyBlocks(directory: SandboxDirectory): StoryStep[][] {
  return [
    tokenSteps(directory),
    etherSteps(directory),
    proxySteps(directory),
    tradingSteps(directory),
    collectibleSteps(directory),
    creationSteps(directory),
    [...openingSteps(directory), ...failureSteps(directory)],
    extremeSteps(directory),
  ];
}
