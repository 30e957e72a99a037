import { batch } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { SourcePlace } from '../../../server/api/source-locations';
import type { MenuItem } from '../components/menu';
import { rowCopies } from '../copy/row-copies';
import { methodName } from '../../../server/presentation/lines';
import { setOpen } from '../ui-state/expansion';
import type { Inspector } from '../ui-state/inspector-context';
import type { InspectorState } from '../ui-state/state';
import type { FlowRow } from '../protocol/protocol';
import { internalCallOf } from '../model/internal-rows';
import { isLeaf, nodeId } from '../model/tree-model';

/** What items of the menu do that keys do as well. */
interface SharedActions {
  openSource: (index: number) => void;
  toggleDetails: () => void;
}

/** The menu of a row: its source, the debugger, what can be copied, its branch, searches, the block explorer. */
export function rowMenu(inspector: Inspector, actions: SharedActions, index: number): MenuItem[] {
  const { state } = inspector;
  const row = state.calls.rowAt(index);
  const flow = state.flow.value;
  if (!row || !flow) return [];
  return [
    sourceItem(state, actions, index),
    ...debugItems(inspector, row),
    {
      title: state.calls.details.value ? l10n.t('Hide Details') : l10n.t('Show Details'),
      onSelect: actions.toggleDetails,
    },
    ...copyItems(inspector, flow.transaction.blockNumber, index),
    ...branchItems(state, index),
    ...findItems(state, row),
    ...explorerItems(inspector, row),
  ];
}

/** The place of a call's failure, otherwise of the called function's declaration, of the contract, or of the call itself. */
export function sourceOf(state: InspectorState, index: number): SourcePlace | undefined {
  const row = state.calls.tree.value.rows[index];
  if (row?.nodeType !== 0) return undefined;
  const location = state.locations.value.get(row.invocation.id);
  const code = state.codes.value.get(row.invocation.id);
  const contract = code && 'from' in code ? code.declaration : undefined;
  return location?.failure ?? location?.function ?? contract ?? location?.callSite;
}

/** Where the debugger finds a row: those inside contracts are calls of the recording. */
export function placeOf(row: FlowRow): number | { call: number } {
  const call = internalCallOf(row);
  return call === undefined ? nodeId(row) : { call };
}

const addressOf = (row: FlowRow): string =>
  row.nodeType === 0 ? row.invocation.address : row.event.contract;

const sourceItem = (
  state: InspectorState,
  { openSource }: SharedActions,
  index: number,
): MenuItem => ({
  title: l10n.t('Open Source'),
  onSelect: () => {
    openSource(index);
  },
  ...(!sourceOf(state, index) && { disabled: l10n.t('Its source is not known') }),
});

/** A failed call of a failed transaction can be debugged from its failure. */
function debugItems({ state, post }: Inspector, row: FlowRow): MenuItem[] {
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

function copyItems({ state, post }: Inspector, blockNumber: number, index: number): MenuItem[] {
  return rowCopies(state.calls.tree.value, index, state.names.value, blockNumber).map(
    ({ title, text, missing }, at) => ({
      title,
      first: at === 0,
      onSelect: () => {
        post({ type: 'copy', text: text() });
      },
      ...(missing !== undefined && { disabled: l10n.t('There is none: {0}', missing) }),
    }),
  );
}

/** Opens or closes all rows below a row. */
function branchItems({ calls }: InspectorState, index: number): MenuItem[] {
  const tree = calls.shownTree.value;
  if (isLeaf(tree, index)) return [];
  const expand = (open: boolean) => () => {
    const end = tree.end[index] ?? index + 1;
    const branch = Array.from({ length: end - index }, (_, offset) => index + offset);
    calls.expansion.value = setOpen(tree, calls.expansion.value, branch, open);
  };
  return [
    { title: l10n.t('Expand All Inside'), first: true, onSelect: expand(true) },
    { title: l10n.t('Collapse All Inside'), onSelect: expand(false) },
  ];
}

function findItems({ calls }: InspectorState, row: FlowRow): MenuItem[] {
  const find = (query: string) => () => {
    batch(() => {
      calls.search.query.value = query;
      calls.search.isOpen.value = true;
    });
  };
  const address = addressOf(row);
  const similar =
    row.nodeType === 0
      ? `fn:"${methodName(row.invocation)}"`
      : `event:"${row.event.decodedLog.name || (row.event.topics[0] ?? '')}"`;
  return [
    {
      title:
        row.nodeType === 0
          ? l10n.t('Find Calls of This Method')
          : l10n.t('Find Events of This Kind'),
      first: true,
      onSelect: find(similar),
    },
    {
      title: l10n.t('Find This Contract'),
      onSelect: find(`address:${address}`),
      ...(address === '' && { disabled: l10n.t('Its address is not known') }),
    },
  ];
}

function explorerItems({ state, post }: Inspector, row: FlowRow): MenuItem[] {
  const address = addressOf(row);
  if (!state.hostContext.value.hasExplorer || address === '') return [];
  return [
    {
      title: l10n.t('Open Contract in the Block Explorer'),
      onSelect: () => {
        post({ type: 'openExplorer', page: { kind: 'address', id: address } });
      },
    },
  ];
}
