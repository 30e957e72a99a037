import { effect } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { App } from './app';
import { highlightAddresses } from './components/highlight';
import { networkName, shortHex } from '../../server/presentation/text';
import { InspectorContext } from './ui-state/inspector-context';
import './styles/page.css';
import { connectToPage } from './ui-state/page-transport';
import { createInspectorState } from './ui-state/state';
import { translate } from './translations';

translate();
/** The inspector as a standalone page: it contains its data and has no host. */
const page = connectToPage();
const state = createInspectorState(page.saved, page.post);

/** Sets the page's title, so that browser tabs of saved pages can be told apart. */
effect(() => {
  const hash = state.flow.value?.transaction.hash;
  const chain = state.flow.value?.transaction.chain;
  if (hash && chain) document.title = l10n.t('{0} on {1}', shortHex(hash), networkName(chain));
});

highlightAddresses();
render(
  <InspectorContext.Provider value={{ state, post: page.post }}>
    <App />
  </InspectorContext.Provider>,
  document.body,
);
page.listen(state.receive);
