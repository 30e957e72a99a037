import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from '../components/icon';
import { Segments } from '../components/segments';
import {
  failureReason,
  rawRow,
  reasonSegments,
  rowSegments,
  rowWithoutUnits,
  withoutArguments,
} from '../../../server/presentation/lines';
import type { Segment } from '../../../server/presentation/segment';
import { grouped, shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import type { FlowRow } from '../protocol/protocol';
import { isInternal } from '../model/internal-rows';
import { movesValue, passesFailureOn } from '../model/tree-model';

/** Labels that fit into a column. */
const KINDS: Partial<Record<string, { tag: string; icon: string }>> = {
  CALL: { tag: 'CALL', icon: 'arrow-right' },
  STATICCALL: { tag: 'STATIC', icon: 'eye' },
  DELEGATECALL: { tag: 'DELEGATE', icon: 'link' },
  CALLCODE: { tag: 'CALLCODE', icon: 'link' },
  CREATE: { tag: 'CREATE', icon: 'new-file' },
  CREATE2: { tag: 'CREATE2', icon: 'new-file' },
  SELFDESTRUCT: { tag: 'DESTROY', icon: 'trash' },
  JUMP: { tag: 'INTERNAL', icon: 'symbol-method' },
  EVENT: { tag: 'EVENT', icon: 'symbol-event' },
};
/** Levels that are indented. Deeper rows show their depth as a number, so that they stay in view. */
const INDENTED_LEVELS = 16;
const SYMBOL_LIMIT = 16;

/** Number of levels by which the row is indented. */
export function indentOf(level: number): number {
  return Math.min(level, INDENTED_LEVELS);
}

function twistyClass(isOpen: boolean | undefined): string {
  if (isOpen === undefined) return 'twisty';
  return `twisty foldable codicon codicon-chevron-${isOpen ? 'down' : 'right'}`;
}

/** `failed`: the call itself failed; `undone`: a caller's failure reverted it. */
export function rowOutcome(row: FlowRow): 'ok' | 'failed' | 'undone' {
  const { status, revert } = row.nodeType === 0 ? row.invocation : row.event;
  if (row.nodeType === 0 && !status) return 'failed';
  return revert ? 'undone' : 'ok';
}

/** The row's line in the user's chosen style, and the row's text for a screen reader. */
export function useRowLine(row: FlowRow): { segments: readonly Segment[]; accessibleText: string } {
  const { state } = useInspector();
  const names = state.names.value;
  const { decoded, details, units = true } = state.calls.style.value;
  return useMemo(() => {
    const shown = units ? row : rowWithoutUnits(row);
    const whole = rowSegments(decoded ? shown : rawRow(row), names);
    const segments = details ? whole : withoutArguments(whole);
    return {
      segments,
      accessibleText: accessibleTextOf(row, segments.map(({ text }) => text).join('')),
    };
  }, [row, names, decoded, details, units]);
}

function accessibleTextOf(row: FlowRow, line: string): string {
  if (row.nodeType === 1) {
    return row.event.revert ? l10n.t('Event {0}, rolled back', line) : l10n.t('Event {0}', line);
  }
  const { operation, value, gasUsed, status, revert } = row.invocation;
  if (isInternal(row)) return l10n.t('Internal call {0}', line);
  const reason = failureReason(row.invocation);
  return [
    `${operation} ${line}`,
    ...(reason ? [l10n.t('failed: {0}', reason)] : []),
    ...(status && revert ? [l10n.t('rolled back')] : []),
    ...(movesValue(row) ? [l10n.t('value {0}', value)] : []),
    l10n.t('gas {0}', grouped(String(gasUsed))),
  ].join(', ');
}

interface RowLineProps {
  index: number;
  row: FlowRow;
  level: number;
  segments: readonly Segment[];
  /** Undefined for a leaf. */
  isOpen: boolean | undefined;
}

/** The visible content of a row: indent, twisty, kind, line, reason, value, gas. */
export function RowLine({ index, row, level, segments, isOpen }: RowLineProps): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const call = row.nodeType === 0 ? row.invocation : undefined;
  const operation = call?.operation ?? 'EVENT';
  const kind = KINDS[operation] ?? { tag: operation, icon: 'question' };
  const outcome = rowOutcome(row);
  const failure = call ? failureReason(call) : '';
  // While the frame that threw is visible below, its callers do not repeat the reason.
  const passedOn =
    failure !== '' && isOpen === true && passesFailureOn(state.calls.tree.value, index);
  const reason = passedOn ? l10n.t('reverted') : failure;
  const hasValue = movesValue(row);
  const value = grouped(call?.value ?? '');
  const native = `${value} ${shownText(state.nativeSymbol.value, SYMBOL_LIMIT)}`.trim();
  return (
    // The row's accessible name contains more: screen readers must not read both.
    <span class="row-content" aria-hidden="true">
      <span class={twistyClass(isOpen)} />
      {level > INDENTED_LEVELS && (
        <span class="depth" title={l10n.t('Depth {0}', level)}>
          {level}
        </span>
      )}
      {outcome === 'failed' && <Icon name="error" />}
      {outcome === 'undone' && <Icon name="discard" label={l10n.t('Rolled back by a caller')} />}
      {outcome === 'ok' && <Icon name={kind.icon} />}
      {state.debuggedRow.value === index && (
        <Icon name="debug-stackframe" label={l10n.t('The debugger is here')} />
      )}
      <span class="tag" title={operation}>
        {kind.tag}
      </span>
      <span class="line">
        {hasValue && <span class="inline-value">{`{${native}} `}</span>}
        <Segments segments={segments} isLine />
      </span>
      {reason && (
        <span class="reason" title={failure}>
          <Segments segments={reasonSegments(reason, names)} />
        </span>
      )}
      <span class="cell value-cell" {...(hasValue && { title: native })}>
        {hasValue && value}
      </span>
      <span class="cell gas-cell">{call && !isInternal(row) && grouped(String(call.gasUsed))}</span>
    </span>
  );
}
