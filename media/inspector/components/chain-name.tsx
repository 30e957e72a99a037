import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { networkName, shownText } from '../grammar/text';
import type { ForkPlace } from '../protocol';
import { filled } from './filled';

const NAME_LIMIT = 64;

/** Whether a fork has a block from the chain that it forks. In front of the first transaction of a block, it lacks that block. */
function isInherited(block: number, { blockNumber, position }: ForkPlace): boolean {
  return position === 0 ? block < blockNumber : block <= blockNumber;
}

interface ChainNameProps {
  /** Slug of a chain, or id of a fork. */
  chain: string;
  /** What is known of the fork, where it is one. */
  fork: ForkPlace | undefined;
  /** Where the transaction stands, where that is known. */
  blockNumber?: number | undefined;
}

/** Where a transaction is: a chain, a fork by its name, or the chain that the fork has it from. */
export function ChainName({ chain, fork, blockNumber }: ChainNameProps): VNode {
  const id = <bdi title={shownText(chain, NAME_LIMIT)}>{networkName(chain)}</bdi>;
  if (!fork) return id;
  const name = <bdi class="fork-name">{shownText(fork.name, NAME_LIMIT)}</bdi>;
  if (blockNumber !== undefined && isInherited(blockNumber, fork)) {
    const origin = <bdi>{networkName(fork.chain)}</bdi>;
    return <>{filled(l10n.t('{0}, seen from fork {1}'), origin, name)}</>;
  }
  return (
    <>
      {name} {id}
    </>
  );
}
