import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { DecodedMethod, DecodeSource } from '../../../server/api/decoding';
import { SOURCE_WORDS } from '../../../server/presentation/sources';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';

const LIMIT = 120;

function optionText(signature: string, source: DecodeSource | undefined): string {
  const shown = shownText(signature, LIMIT);
  return source === undefined ? shown : l10n.t('{0} — by {1}', shown, SOURCE_WORDS[source]);
}

/** Lets the user choose one of several signatures that fit the same bytes. */
export function DecodeChoice({
  index,
  decoded,
}: {
  index: number;
  /** The service's decoding. */
  decoded: DecodedMethod;
}): VNode {
  const { decodes } = useInspector().state.calls;
  const problem = decodes.problem.value;
  return (
    <>
      <select
        class="select"
        aria-label={l10n.t('Signature to read the call by')}
        value={decodes.chosen.value[index] ?? ''}
        onChange={(event) => {
          void decodes.choose(index, event.currentTarget.value || undefined);
        }}
      >
        <option value="">{optionText(decoded.signature, decoded.source)}</option>
        {decoded.alternatives?.map(({ signature, source }) => (
          <option key={signature} value={signature}>
            {optionText(signature, source)}
          </option>
        ))}
      </select>
      {problem !== undefined && (
        <span class="error" role="alert">
          {' '}
          {shownText(problem, LIMIT)}
        </span>
      )}
    </>
  );
}
