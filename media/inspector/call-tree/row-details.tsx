import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CopyButton } from '../components/copy-button';
import { IconButton } from '../components/icon-button';
import { MenuButton } from '../components/menu';
import { rowAsJson, rowAsText } from '../copy/row-copies';
import { callName, eventSegments } from '../../../server/presentation/lines';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { isInternal } from '../model/internal-rows';
import type { FlowRow } from '../protocol/protocol';
import { CallDetails } from './call-details';
import { EventDetails } from './event-details';
import { useRowActions } from './use-row-actions';

function titleOf(row: FlowRow, names: Parameters<typeof eventSegments>[1]): string {
  if (row.nodeType === 0) {
    const kind = isInternal(row) ? 'INTERNAL' : row.invocation.operation;
    return `${kind} ${callName(row.invocation)}`;
  }
  return `EVENT ${row.event.decodedLog.name || (eventSegments(row.event, names)[2]?.text ?? '')}`;
}

/** All fields of one row in full; long values unfold, and every value can be copied. */
export function RowDetails({ row, index }: { row: FlowRow; index: number }): VNode {
  const { state } = useInspector();
  const actions = useRowActions();
  return (
    <aside class="details" aria-label={l10n.t('Details of the selected row')}>
      <div class="details-head">
        <h2>
          <bdi>{shownText(titleOf(row, state.names.value), 80)}</bdi>
        </h2>
        <CopyButton text={rowAsText(row, state.names.value)} label={l10n.t('Copy row as text')} />
        <CopyButton icon="json" text={rowAsJson(row)} label={l10n.t('Copy row as JSON')} />
        <MenuButton
          icon="ellipsis"
          label={l10n.t('More actions of the row')}
          items={() => actions.menuItems(index)}
        />
        <IconButton
          icon="close"
          label={l10n.t('Close details (Escape)')}
          onClick={() => {
            state.calls.details.value = false;
          }}
        />
      </div>
      <div class="details-body" tabIndex={0} role="region" aria-label={l10n.t('All fields')}>
        {row.nodeType === 0 ? (
          <CallDetails call={row.invocation} index={index} />
        ) : (
          <EventDetails event={row.event} />
        )}
      </div>
    </aside>
  );
}
