import { render } from 'preact';
import { App } from './app';
import { highlightAddresses } from './components/highlight';
import { InspectorContext } from './inspector-context';
import './styles/page.css';
import { connectToPage } from './page-transport';
import { createInspectorState } from './state';
import { translate } from './translations';

translate();
/** The inspector as a page of its own: it has its data in itself, and no host. */
const page = connectToPage();
const state = createInspectorState(undefined, page.post);

highlightAddresses();
render(
  <InspectorContext.Provider value={{ state, post: page.post }}>
    <App />
  </InspectorContext.Provider>,
  document.body,
);
page.listen(state.receive);
