import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import type { startComparison } from './compare/start';
import { highlightAddresses, resetMarks } from './components/highlight';
import './styles/inspector.css';
import { takeFocus } from './ui-state/take-focus';
import { InspectorContext } from './ui-state/inspector-context';
import { createInspectorState } from './ui-state/state';
import { translate } from './translations';
import { connect } from './ui-state/transport';

translate();
const { post, listen, savedState, saveState } = connect();
const saved = savedState();
const state = createInspectorState(saved && 'source' in saved ? saved : undefined, post);

effect(() => {
  if (state.saved.value) saveState(state.saved.value);
});
effect(() => {
  const method = state.method.value;
  if (method !== '') post({ type: 'title', method });
});

render(
  <InspectorContext.Provider value={{ state, post }}>
    <App />
  </InspectorContext.Provider>,
  document.body,
);
highlightAddresses();

/** Receiver of the two sides' messages; set if the document shows a comparison. */
let comparison: Promise<ReturnType<typeof startComparison>> | undefined;

listen((message) => {
  switch (message.type) {
    case 'compare': {
      const { left, right } = message;
      comparison = import('./compare/start').then((compare) =>
        compare.startComparison(
          { left, right },
          { post, save: saveState, saved: saved && 'left' in saved ? saved : undefined },
        ),
      );
      return;
    }
    case 'side':
      void comparison?.then((receive) => {
        receive(message.side, message.message);
      });
      return;
    case 'takeFocus':
      takeFocus();
      return;
    case 'showNode':
      state.showNode(message.node);
      return;
    default:
      if (message.type === 'open') resetMarks();
      state.receive(message);
  }
});
