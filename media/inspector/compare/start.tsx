import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { InspectorContext } from '../ui-state/inspector-context';
import type { Names } from '../../../server/presentation/segment';
import { createPersistentSignals } from '../model/persistent-signals';
import type {
  FromComparison,
  FromWebview,
  SavedComparison,
  SideId,
  SideMessage,
  Source,
} from '../protocol/protocol';
import { createInspectorState, type InspectorState } from '../ui-state/state';
import { createCompareState } from './compare-state';
import { CompareView } from './compare-view';

interface ComparisonHost {
  post: (message: FromWebview | FromComparison) => void;
  /** Saved position of the user, if any. */
  saved: SavedComparison | undefined;
  save: (state: SavedComparison) => void;
}

const VERSION = 3;

/**
 * Shows two analyses instead of one. Each side has the state of an inspector, but not its views.
 * @returns receiver of the two sides' messages
 */
export function startComparison(
  sources: Readonly<Record<SideId, Source>>,
  { post, saved, save }: ComparisonHost,
): (side: SideId, message: SideMessage) => void {
  const stateOf = (side: SideId): InspectorState =>
    createInspectorState(
      undefined,
      (request) => {
        post({ type: 'side', side, request });
      },
      { hasSourceLinks: false },
    );
  const states = { left: stateOf('left'), right: stateOf('right') };
  const view = saved?.version === VERSION ? saved.view : {};
  const { persistentSignal, values } = createPersistentSignals(view);
  const state = createCompareState(states, persistentSignal, Object.hasOwn(view, 'expansion'));
  effect(() => {
    save({ version: VERSION, ...sources, view: values.value });
  });
  // Shared components use the left side's state, except for the saved position and the names, which come from both sides.
  const names = computed<Names>(() => {
    const [left, right] = [states.left.names.value, states.right.names.value];
    return (address) => left(address) ?? right(address);
  });
  render(
    <InspectorContext.Provider value={{ state: { ...states.left, persistentSignal, names }, post }}>
      <CompareView state={state} />
    </InspectorContext.Provider>,
    document.body,
  );
  for (const side of ['left', 'right'] as const) {
    states[side].receive({ type: 'open', source: sources[side] });
  }
  return (side, message) => {
    states[side].receive(message);
  };
}
