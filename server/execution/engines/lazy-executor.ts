import type * as InProcess from '../in-process/in-process-executor';
import type { BlockExecutor, OpenBlock, PlacedBlock } from '../prefix/block-executor';
import { isSince } from '../../rules/hardfork-order';
import { isExactOpStack } from '../../rules/op-stack/upgrades';

/** Executes blocks of the OP Stack and of Amsterdam in this process. Its code is loaded when a block first needs it. */
export class LazyExecutor implements BlockExecutor {
  #loaded: Promise<typeof InProcess> | undefined;

  begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> | undefined {
    const { chainId, hardfork, header } = block;
    const isNeeded = isExactOpStack(chainId, header) || isSince(hardfork, 'amsterdam');
    return isNeeded ? this.#begin(block, signal) : undefined;
  }

  async #begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> {
    this.#loaded ??= import('../in-process/in-process-executor');
    const { beginBlock } = await this.#loaded;
    return beginBlock(block, signal);
  }
}
