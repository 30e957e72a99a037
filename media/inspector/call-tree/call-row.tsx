import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from '../components/icon';
import { Segments } from '../components/segments';
import { failureReason, reasonSegments, rowSegments } from '../grammar/lines';
import { plainText } from '../grammar/segment';
import { grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { isOpen, setOpen } from './expansion';
import type { FlowRow } from '../protocol';
import { isLeaf, passesFailureOn } from './tree-model';

/** Short enough for a column, in the reader's words. */
const TAGS: Partial<Record<string, string>> = {
  STATICCALL: 'STATIC',
  DELEGATECALL: 'DELEGATE',
  SELFDESTRUCT: 'DESTROY',
};
/** Levels that are indented; deeper rows say their depth instead of walking off to the right. */
const INDENTED_LEVELS = 16;

export function rowId(index: number): string {
  return `row-${index}`;
}

/** How a row ended: by itself, undone by a caller, or well. */
function rowOutcome(row: FlowRow): 'ok' | 'failed' | 'undone' {
  const { status, revert } = row.nodeType === 0 ? row.invocation : row.event;
  if (row.nodeType === 0 && !status) return 'failed';
  return revert ? 'undone' : 'ok';
}

function Tag({ row }: { row: FlowRow }): VNode {
  if (row.nodeType === 1) {
    return (
      <span class="tag event-mark" title="Event">
        ◆
      </span>
    );
  }
  const { operation } = row.invocation;
  return (
    <span class="tag" title={operation}>
      {TAGS[operation] ?? operation}
    </span>
  );
}

/** What a screen reader says of the row. */
function spoken(row: FlowRow, line: string): string {
  if (row.nodeType === 1) return `Event ${line}${row.event.revert ? ', rolled back' : ''}`;
  const { operation, value, gasUsed } = row.invocation;
  const reason = failureReason(row.invocation);
  return [
    `${operation} ${line}`,
    ...(reason ? [`failed: ${reason}`] : []),
    ...(value !== '' && value !== '0' ? [`value ${value}`] : []),
    `gas ${grouped(String(gasUsed))}`,
  ].join(', ');
}

export function CallRow({ index, top }: { index: number; top: number }): VNode | null {
  const { state } = useInspector();
  const tree = state.calls.tree.value;
  const row = tree.rows[index];
  const names = state.names.value;
  const line = useMemo(() => {
    const segments = row ? rowSegments(row, names) : [];
    const text = segments.map(({ text: piece }) => piece).join('');
    return { segments, label: row ? spoken(row, text) : '' };
  }, [row, names]);
  if (!row) return null;
  const leaf = isLeaf(tree, index);
  const open = isOpen(tree, state.calls.expansion.value, index);
  const selected = state.calls.selected.value === index;
  const call = row.nodeType === 0 ? row.invocation : undefined;
  const outcome = rowOutcome(row);
  const levels = Math.min(row.depth, INDENTED_LEVELS);
  const failure = call ? failureReason(call) : '';
  // While the frame that threw is in sight below, its callers need not repeat the reason.
  const reason = failure !== '' && open && passesFailureOn(tree, index) ? 'reverted' : failure;
  const hasValue = call !== undefined && call.value !== '' && call.value !== '0';
  return (
    <div
      id={rowId(index)}
      role="treeitem"
      class={`row ${outcome}${selected ? ' selected' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      data-index={index}
      aria-level={row.depth + 1}
      aria-posinset={tree.position[index]}
      aria-setsize={tree.siblings[index]}
      aria-selected={selected}
      {...(!leaf && { 'aria-expanded': open })}
      aria-label={line.label}
      onClick={() => {
        state.calls.selected.value = index;
      }}
      onDblClick={() => {
        if (!leaf)
          state.calls.expansion.value = setOpen(tree, state.calls.expansion.value, [index], !open);
      }}
    >
      <span class="indent" style={{ '--levels': levels }} />
      <span
        class={leaf ? 'twisty' : 'twisty foldable'}
        onClick={(event) => {
          if (leaf) return;
          event.stopPropagation();
          state.calls.selected.value = index;
          state.calls.expansion.value = setOpen(tree, state.calls.expansion.value, [index], !open);
        }}
        onDblClick={(event) => {
          event.stopPropagation();
        }}
      >
        {!leaf && <Icon name={open ? 'chevron-down' : 'chevron-right'} />}
      </span>
      {row.depth > INDENTED_LEVELS && (
        <span class="depth" title={`Depth ${row.depth}`}>
          {row.depth}
        </span>
      )}
      {outcome === 'failed' && <Icon name="error" />}
      {outcome === 'undone' && <Icon name="discard" label="Rolled back by a caller" />}
      <Tag row={row} />
      <span class="call">
        <span class="line">
          {hasValue && <span class="inline-value">{`{${grouped(call.value)}} `}</span>}
          <Segments segments={line.segments} />
        </span>
        {reason && (
          <span class="reason" title={failure}>
            <Segments segments={reasonSegments(reason, names)} />
          </span>
        )}
      </span>
      <span class="cell value" {...(hasValue && { title: call.value })}>
        {hasValue && grouped(call.value)}
      </span>
      <span class="cell gas">{call && grouped(String(call.gasUsed))}</span>
    </div>
  );
}

/** The row as one line for the clipboard: whole addresses, plain numbers. */
export function rowText(row: FlowRow, names: Parameters<typeof rowSegments>[1]): string {
  const line = plainText(rowSegments(row, names));
  if (row.nodeType === 1) return `EVENT ${line}`;
  const { operation, value, status, revertMessage, errorInfo } = row.invocation;
  const sent = value !== '' && value !== '0' ? ` {value: ${value}}` : '';
  return `${operation} ${line}${sent}${status ? '' : ` ✗ ${revertMessage || errorInfo}`}`;
}
