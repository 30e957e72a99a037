import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { networkName, shortHex, shownText } from '../grammar/text';
import type { Source } from '../protocol';
import { filled } from './filled';

const TITLE_LIMIT = 80;

/** What an inspector shows, in words: `0x1234…cdef on eth`. */
export function SourceName({ source }: { source: Source }): VNode {
  const what =
    source.kind === 'transaction' ? (
      <bdi class="hex" title={source.transaction}>
        {shortHex(source.transaction)}
      </bdi>
    ) : (
      <bdi>{shownText(source.title ?? l10n.t('a transaction'), TITLE_LIMIT)}</bdi>
    );
  const chain = <bdi title={shownText(source.chain, TITLE_LIMIT)}>{networkName(source.chain)}</bdi>;
  return <>{filled(l10n.t('{0} on {1}'), what, chain)}</>;
}
