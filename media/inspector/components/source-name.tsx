import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { shortHex, shownText } from '../../../server/presentation/text';
import type { ForkOrigin, Source } from '../protocol/protocol';
import { ChainName } from './chain-name';
import { filled } from './filled';

const TITLE_LIMIT = 80;

interface SourceNameProps {
  source: Source;
  /** Facts about the fork, if the source is on a known fork. */
  fork?: ForkOrigin | undefined;
  /** The transaction's block, if known. */
  blockNumber?: number | undefined;
}

/** The source of an inspector in words: `0x1234…cdef on eth`. */
export function SourceName({ source, fork, blockNumber }: SourceNameProps): VNode {
  const what =
    source.kind === 'transaction' ? (
      <bdi class="hex" title={source.transaction}>
        {shortHex(source.transaction)}
      </bdi>
    ) : (
      <bdi>{shownText(source.title ?? l10n.t('a transaction'), TITLE_LIMIT)}</bdi>
    );
  const chain = <ChainName {...{ chain: source.chain, fork, blockNumber }} />;
  return <>{filled(l10n.t('{0} on {1}'), what, chain)}</>;
}
