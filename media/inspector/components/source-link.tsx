import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { SourcePlace } from '../../../server/api/source-locations';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';

/** `src/Vault.sol:13`, a link that opens the source there. */
export function SourceLink({ place }: { place: SourcePlace }): VNode {
  const { post } = useInspector();
  return (
    <button
      type="button"
      class="link"
      title={l10n.t('Open the source')}
      onClick={() => {
        post({ type: 'openSource', place });
      }}
    >
      <bdi>{shownText(place.file, 80)}</bdi>:{place.startLine}
    </button>
  );
}
