/** Folders of the webview. Names are those inside `media/inspector`, of other folders whole. */
export const INSPECTOR_FOLDERS = /** @type {const} */ ([
  [
    '.',
    'entries of the webview and of exported pages, and the frame of tabs',
    '** server/presentation',
  ],
  [
    'protocol',
    'messages between the webview and its host, and the parts of an analysis',
    'server/api server/presentation',
  ],
  ['grammar', 'facts of assets, and US dollars', 'server/api server/presentation protocol'],
  [
    'model',
    'what the tabs show, computed without a component',
    'server/api protocol server/presentation',
  ],
  [
    'search',
    "the search's syntax, index and matches",
    'server/api protocol server/presentation model',
  ],
  [
    'ui-state',
    'state of an inspector, its context and transport',
    'server/api protocol server/presentation model search',
  ],
  [
    'components',
    'components that several tabs use',
    'server/api protocol server/presentation grammar ui-state',
  ],
  ['copy', 'what the copy actions give', 'server/api protocol server/presentation model'],
  [
    'export',
    'reports, tables and pages of an analysis',
    'server/api protocol server/presentation model ui-state components copy',
  ],
  ['notebook', 'shows analyses in the outputs of notebooks', 'protocol export'],
  [
    'card',
    'what the first screen says: the sentence, who gained and lost, and its copies',
    'protocol server/presentation model ui-state components export balances',
  ],
  [
    'header',
    'the head of an analysis: outcome, actions',
    'protocol server/presentation model ui-state components export card',
  ],
  [
    'overview',
    'tab: facts and highlights',
    'server/api protocol server/presentation grammar model ui-state components card',
  ],
  [
    'call-tree',
    'tab: the call tree, its rows, keys and search bar',
    'server/api protocol server/presentation model search ui-state components copy',
  ],
  [
    'balances',
    'tab: balance changes',
    'server/api protocol server/presentation grammar model ui-state components export',
  ],
  [
    'fund-flow',
    'tab: who paid whom, as a graph',
    'server/api protocol server/presentation grammar ui-state components',
  ],
  ['events', 'tab: events', 'server/api protocol server/presentation search ui-state components'],
  [
    'gas',
    'tab: gas by call, as flame graph and table',
    'server/api protocol server/presentation ui-state components',
  ],
  [
    'state-diff',
    'tab: state differences',
    'server/api protocol server/presentation ui-state components',
  ],
  [
    'compare',
    'two analyses side by side',
    'server/api protocol server/presentation model ui-state components copy header call-tree',
  ],
]);
