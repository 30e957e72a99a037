import { render } from 'preact';
import { InspectorContext } from '../inspector-context';
import type { FromComparison, FromWebview, PartMessage, SideId, Source } from '../protocol';
import { createInspectorState, type InspectorState } from '../state';
import { createCompareState } from './compare-state';
import { CompareView } from './compare-view';

/**
 * Shows two analyses in place of one. Each side is what an inspector knows of its source, without the inspector around it.
 * @returns what takes the messages of the two sides
 */
export function startComparison(
  sources: Readonly<Record<SideId, Source>>,
  post: (message: FromWebview | FromComparison) => void,
): (side: SideId, message: PartMessage) => void {
  const stateOf = (side: SideId): InspectorState =>
    createInspectorState(undefined, (request) => {
      post({ type: 'side', side, request });
    });
  const states = { left: stateOf('left'), right: stateOf('right') };
  render(
    <InspectorContext.Provider value={{ state: states.left, post }}>
      <CompareView state={createCompareState(states.left, states.right)} />
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
