import type { SandboxDirectory } from '../parts/directory';
import type { Step, StoryStep } from '../parts/steps';
import { collectibleSteps } from './collectibles';
import { creationSteps, openingSteps } from './creations';
import { dollarBlocks } from './dollars';
import { etherSteps } from './ether';
import { extremeSteps } from './extremes';
import { failureSteps } from './failures';
import { proxySteps, tokenSteps } from './tokens';
import { tradingSteps } from './trading';

/** The story by block. Hashes depend on the order: append, never insert. */
export function storyBlocks(directory: SandboxDirectory): (Step | StoryStep)[][] {
  return [
    tokenSteps(directory),
    etherSteps(directory),
    proxySteps(directory),
    tradingSteps(directory),
    collectibleSteps(directory),
    creationSteps(directory),
    [...openingSteps(directory), ...failureSteps(directory)],
    extremeSteps(directory),
    [],
    ...dollarBlocks(directory),
  ];
}
