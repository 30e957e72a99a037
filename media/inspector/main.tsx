import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import './styles/inspector.css';
import { InspectorContext } from './inspector-context';
import { createInspectorState } from './state';
import { connect } from './transport';

const transport = connect();
const state = createInspectorState(transport.savedState());

effect(() => {
  if (state.saved.value) transport.saveState(state.saved.value);
});

render(
  <InspectorContext.Provider
    value={{
      state,
      post: (message) => {
        transport.post(message);
      },
    }}
  >
    <App />
  </InspectorContext.Provider>,
  document.body,
);
transport.listen((message) => {
  state.receive(message);
});
