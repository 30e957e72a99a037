import type { VNode } from 'preact';
import { networkName, shortHex, shownText } from '../grammar/text';
import type { Source } from '../protocol';

const TITLE_LIMIT = 80;

/** What an inspector shows, in words: `0x1234…cdef on eth`. */
export function SourceName({ source }: { source: Source }): VNode {
  return (
    <>
      {source.kind === 'transaction' ? (
        <bdi class="hex" title={source.transaction}>
          {shortHex(source.transaction)}
        </bdi>
      ) : (
        <bdi>{shownText(source.title ?? 'a transaction', TITLE_LIMIT)}</bdi>
      )}{' '}
      on <bdi title={shownText(source.chain, TITLE_LIMIT)}>{networkName(source.chain)}</bdi>
    </>
  );
}
