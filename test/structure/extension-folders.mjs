/** Folders of the extension. Names are those inside `extension`, of other folders whole. */
export const EXTENSION_FOLDERS = /** @type {const} */ ([
  ['.', 'entry of the extension', '**'],
  [
    'editor',
    'thin wrappers of the editor: settings, secrets, log, events, translations',
    'server/client',
  ],
  [
    'model',
    'what folders share: ids of commands, nodes of the tree, targets, errors, ports of service and client',
    'server/api server/client editor media/inspector/protocol',
  ],
  [
    'ui',
    'pickers, inputs, progress, clipboard, confirmation, registration of commands',
    'server/api server/client editor model',
  ],
  [
    'service',
    'starts or finds the service, watches it, and talks to it',
    'server/api server/client editor model ui',
  ],
  [
    'account',
    'the session: sign in and out, access keys, who follows changes',
    'server/api editor model ui service',
  ],
  [
    'transactions',
    'picks, opens and resends transactions',
    'server/api server/client editor model ui media/inspector/protocol',
  ],
  [
    'forks',
    'creates forks, changes their state, snapshots, RPC access',
    'server/api server/client editor model ui transactions',
  ],
  [
    'projects',
    'the tree of projects and forks',
    'server/api server/client editor model ui service account transactions forks contracts',
  ],
  [
    'contracts',
    "deploys the workspace's contracts on forks, and calls the contracts of a fork",
    'server/api server/client editor model ui build-output',
  ],
  [
    'inspector',
    'panels that show and compare analyses, and their worker',
    'server/api server/client editor model ui service account transactions build-output source-documents media/inspector/protocol',
  ],
  [
    'simulate',
    'simulates a function of a Solidity source',
    'server/api server/client editor model ui transactions build-output media/inspector/protocol',
  ],
  [
    'debugger',
    'debugs transactions in the editor: configurations, commands, sources, decorations',
    'server/api server/client editor model ui transactions build-output source-documents links debugger/adapter media/inspector/protocol',
  ],
  [
    'debugger/adapter',
    'the Debug Adapter Protocol over recordings of transactions, without the editor',
    'server/api server/client model',
  ],
  [
    'source-documents',
    'sources of executed contracts as read-only documents: their paths and their file system',
    'server/api model',
  ],
  [
    'what-if',
    "runs transactions again with the workspace's code",
    'server/api server/client editor model ui build-output media/inspector/protocol',
  ],
  [
    'history',
    'asks the past of a chain: when a value changed',
    'server/api server/client editor model ui transactions',
  ],
  [
    'build-output',
    "the workspace's sources and build output",
    'server/api server/client editor model ui',
  ],
  [
    'open',
    'opens what was pasted: recognises it, asks which meaning, and acts',
    'server/api server/client editor model ui transactions decoded-data',
  ],
  [
    'chains',
    'the view of chains: their health, blocks and transactions',
    'server/api server/client editor model ui transactions',
  ],
  [
    'watch',
    'watched addresses and events of chains and forks: what follows them, notifications, commands',
    'server/api server/client editor model ui service account transactions',
  ],
  [
    'address-page',
    'pages of addresses: facts, source and transactions',
    'server/api server/client editor model transactions',
  ],
  [
    'recent',
    'what was opened, by day, and its view',
    'server/client editor model media/inspector/protocol',
  ],
  [
    'decoded-data',
    'documents of decoded call data and revert data: their text, and what is done with them',
    'server/api server/client model ui transactions media/inspector/protocol',
  ],
  [
    'foundry',
    'writes a Foundry test of a transaction',
    'server/client editor model ui transactions',
  ],
  [
    'project-tests',
    'tests of projects in the Test Explorer: listed, run and debugged by a tool, also on a fork or chain',
    'server/client editor model ui transactions',
  ],
  [
    'foundry-tests',
    'runs and debugs the tests of Foundry projects',
    'server/client editor model project-tests',
  ],
  [
    'hardhat-tests',
    'runs the tests of Hardhat projects, and debugs what they sent to a fork',
    'server/api server/client model project-tests',
  ],
  [
    'hardhat-tests/hook',
    "runs inside the user's Hardhat: what runs tests reports them",
    'hardhat-tests',
  ],
  [
    'test-explorer',
    'finds the projects of the workspace whose tests are listed',
    'editor model project-tests foundry-tests hardhat-tests',
  ],
  [
    'notebook',
    'books, which are notebooks of a fork or chain: commands, the kernel that runs their cells, reports',
    'server/api server/client server/client/book editor model ui transactions inspector notebook/book media/inspector/protocol server/presentation media/inspector/export',
  ],
  [
    'notebook/book',
    'what the cells of a book say, and its report as Markdown, without the editor',
    'server/api server/client server/client/book media/inspector/protocol server/presentation media/inspector/export',
  ],
  [
    'cases',
    'case files: writes them, and their editor, which shows what is in a case',
    'server/api server/client server/client/book editor model ui transactions debugger notebook media/inspector/protocol',
  ],
  ['endpoints', "the user's RPC endpoints", 'server/api server/client editor model ui'],
  ['labels', "the user's names of addresses", 'server/api server/client editor model ui account'],
  [
    'links',
    'hashes and addresses in texts: hovers, terminal links, links to the editor',
    'server/api server/client editor model ui transactions',
  ],
  [
    'agents',
    'language model tools and the MCP server in the editor',
    'server/agents editor model account',
  ],
  ['doctor', 'shows what the doctor found', 'server/api editor model ui service endpoints'],
  ['compilers', 'installs compilers of Solidity', 'editor model ui service'],
  ['first-run', "the walkthrough's commands", 'model ui service'],
  ['packaging', 'makes the `.vsix` and the npm package: versions, licences, components, icon', ''],
]);
