import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { networkName, shownText } from '../../../server/presentation/text';
import type { ForkOrigin } from '../protocol/protocol';
import { filled } from './filled';

const NAME_LIMIT = 64;

/** Whether a fork inherits a block from its chain. A fork at position 0 does not contain its fork point's block. */
function isInherited(block: number, { blockNumber, position }: ForkOrigin): boolean {
  return position === 0 ? block < blockNumber : block <= blockNumber;
}

interface ChainNameProps {
  /** Slug of a chain or id of a fork. */
  chain: string;
  /** Facts about the fork; undefined for a chain or an unknown fork. */
  fork: ForkOrigin | undefined;
  /** The transaction's block, if known. */
  blockNumber?: number | undefined;
}

/** The chain or fork of a transaction. For an inherited block of a fork, the forked chain. */
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
