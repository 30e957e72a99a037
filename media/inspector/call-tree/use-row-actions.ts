import { batch } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { SourcePlace } from '../../../server/api/source-locations';
import type { MenuItem } from '../components/menu';
import { rowAsText, rowCopies } from '../copy/row-copies';
import { methodName } from '../../../server/presentation/lines';
import { useInspector } from '../ui-state/inspector-context';
import { setOpen } from '../ui-state/expansion';
import type { FlowRow } from '../protocol/protocol';
import { internalCallOf } from '../model/internal-rows';
import { isLeaf, nextFailure, nodeId } from '../model/tree-model';

/** Actions on a row. */
export interface RowActions {
  copy: (index: number) => void;
  /** Opens the source, or the details if no source is known. */
  openSource: (index: number) => void;
  /** Moves a debugger that is on this analysis to the selected row, unless it is there. */
  moveDebugger: (index: number) => void;
  toggleDetails: () => void;
  goToFailure: () => void;
  menuItems: (index: number) => MenuItem[];
}

export function focusTree(): void {
  document.querySelector<HTMLElement>('[role=tree]')?.focus({ preventScroll: true });
}

export function useRowActions(): RowActions {
  const { state, post } = useInspector();
  const { calls } = state;

  function copyText(text: string): void {
    post({ type: 'copy', text });
  }

  /** The place of a call's failure, otherwise of the called function's declaration, of the contract, or of the call itself. */
  function sourceOf(index: number): SourcePlace | undefined {
    const row = calls.tree.value.rows[index];
    if (row?.nodeType !== 0) return undefined;
    const location = state.locations.value.get(row.invocation.id);
    const code = state.codes.value.get(row.invocation.id);
    const contract = code && 'from' in code ? code.declaration : undefined;
    return location?.failure ?? location?.function ?? contract ?? location?.callSite;
  }

  function searchFor(query: string): void {
    batch(() => {
      calls.search.query.value = query;
      calls.search.isOpen.value = true;
    });
  }

  function toggleDetails(): void {
    calls.details.value = !calls.details.value;
  }

  function openSource(index: number): void {
    const place = sourceOf(index);
    if (place) post({ type: 'openSource', place });
    else toggleDetails();
  }

  function expandInside(index: number, open: boolean): void {
    const tree = calls.shownTree.value;
    const end = tree.end[index] ?? index + 1;
    const branch = Array.from({ length: end - index }, (_, offset) => index + offset);
    calls.expansion.value = setOpen(tree, calls.expansion.value, branch, open);
  }

  /** Where the debugger finds a row: those inside contracts are calls of the recording. */
  function placeOf(row: FlowRow): number | { call: number } {
    const call = internalCallOf(row);
    return call === undefined ? nodeId(row) : { call };
  }

  function moveDebugger(index: number): void {
    const row = calls.tree.value.rows[index];
    if (!row || state.debugger.value === undefined || state.debuggedRow.value === index) return;
    state.keepSelection();
    // The editor focuses the source of the stop, then gives the focus back to the document alone.
    addEventListener('focus', focusTree, { once: true });
    post({ type: 'moveDebugger', to: placeOf(row) });
  }

  /** A failed call of a failed transaction can be debugged from its failure. */
  function debugItems(row: FlowRow): MenuItem[] {
    const { actions } = state.hostContext.value;
    if (!actions.includes('debugTransaction')) return [];
    const debug = (from: number | 'failure' | { call: number }) => () => {
      post({ type: 'debug', from });
    };
    const isRunning = state.debugger.value !== undefined;
    const title = isRunning ? l10n.t('Go to Call in Debugger') : l10n.t('Debug From Here');
    const failed = state.flow.value?.status === false;
    return [
      { title, onSelect: debug(placeOf(row)) },
      ...(failed && row.nodeType === 0 && !row.invocation.status
        ? [{ title: l10n.t('Debug From the Failure'), onSelect: debug('failure') }]
        : []),
    ];
  }

  function menuItems(index: number): MenuItem[] {
    const row = calls.rowAt(index);
    const flow = state.flow.value;
    if (!row || !flow) return [];
    const { blockNumber } = flow.transaction;
    const [address, query] =
      row.nodeType === 0
        ? [row.invocation.address, `fn:"${methodName(row.invocation)}"`]
        : [
            row.event.contract,
            `event:"${row.event.decodedLog.name || (row.event.topics[0] ?? '')}"`,
          ];
    const place = sourceOf(index);
    return [
      {
        title: l10n.t('Open Source'),
        onSelect: () => {
          openSource(index);
        },
        ...(!place && { disabled: l10n.t('Its source is not known') }),
      },
      ...debugItems(row),
      {
        title: calls.details.value ? l10n.t('Hide Details') : l10n.t('Show Details'),
        onSelect: toggleDetails,
      },
      ...rowCopies(calls.tree.value, index, state.names.value, blockNumber).map(
        ({ title, text, missing }, at) => ({
          title,
          first: at === 0,
          onSelect: () => {
            copyText(text());
          },
          ...(missing !== undefined && { disabled: l10n.t('There is none: {0}', missing) }),
        }),
      ),
      ...(isLeaf(calls.shownTree.value, index)
        ? []
        : [
            {
              title: l10n.t('Expand All Inside'),
              first: true,
              onSelect: () => {
                expandInside(index, true);
              },
            },
            {
              title: l10n.t('Collapse All Inside'),
              onSelect: () => {
                expandInside(index, false);
              },
            },
          ]),
      {
        title:
          row.nodeType === 0
            ? l10n.t('Find Calls of This Method')
            : l10n.t('Find Events of This Kind'),
        first: true,
        onSelect: () => {
          searchFor(query);
        },
      },
      {
        title: l10n.t('Find This Contract'),
        onSelect: () => {
          searchFor(`address:${address}`);
        },
        ...(address === '' && { disabled: l10n.t('Its address is not known') }),
      },
      ...(state.hostContext.value.hasExplorer && address !== ''
        ? [
            {
              title: l10n.t('Open Contract in the Block Explorer'),
              onSelect: () => {
                post({ type: 'openExplorer', page: { kind: 'address', id: address } });
              },
            },
          ]
        : []),
    ];
  }

  return {
    copy(index) {
      const row = calls.rowAt(index);
      if (row) copyText(rowAsText(row, state.names.value));
    },
    openSource,
    moveDebugger,
    toggleDetails,
    menuItems,
    goToFailure() {
      const { tree, selected, origin } = calls;
      const failure = nextFailure(tree.value, selected.value, origin.value);
      if (failure !== undefined) calls.show(failure);
    },
  };
}
