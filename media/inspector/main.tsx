import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import { highlightAddresses } from './components/highlight';
import './styles/inspector.css';
import { InspectorContext } from './inspector-context';
import { createInspectorState } from './state';
import { connect } from './transport';

const { post, listen, savedState, saveState } = connect();
const state = createInspectorState(savedState(), post);

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
listen(state.receive);
