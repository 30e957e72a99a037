/** Tests of one service, which three nodes behind HAProxy pass as well. */
export const SHORT = ['http-surface', 'fork-parameters', 'fork-next-block-calls'];
export const LONG = [
  ...['http-bodies', 'rest-examples', 'projects', 'changes', 'views', 'fork-address'],
  ...['fork-snapshots', 'fork-connection-turns', 'chain-explorer', 'lookup'],
  ...['simulate', 'simulate-refusals', 'decoding', 'recording', 'recording-again'],
  ...['recording-what-if', 'quotas', 'labels', 'chain-block', 'contract-source'],
  ...['recording-refusals', 'recording-lines', 'source-locations', 'chain-activity'],
  ...['simulation-sources'],
  ...['debugger-errors', 'debugger-replaced', 'notebook-cells'],
  ...['fork-gas', 'fork-signing', 'fork-derived-traces', 'fork-account-clients', 'fork-clients'],
  ...['fork-call-bundle', 'account-executions'],
];
/** Suites that are not run here, by the reason. */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'they use the process, its output, its files or its engines': [
    ...['cli-completion', 'cli-connection', 'doctor', 'engine-isolation', 'examples', 'mcp'],
    ...['fork-engine', 'fork-journal', 'fork-mnemonic', 'memory', 'metrics', 'readme-examples'],
    ...['service-process', 'store-damage', 'artifact-folders', 'endpoints', 'request-trace'],
    ...['recording-restart', 'recording-simulations'],
  ],
  'they have a proxy or a certificate of their own': ['reverse-proxies', 'trusted-proxies', 'tls'],
  'they count requests to the chain: each node has its cache': ['analysis-progress'],
  'HAProxy has the sockets of the clients': ['http-sockets'],
  'the number of engines is per node': ['fork-turns'],
  'they analyze by one request, which the node that is asked does as one service does': [
    ...['absurd-tokens', 'blob-price', 'blob-transactions', 'delegation-changes', 'gas-profile'],
    ...['debugger-places', 'debugger-recompiled', 'debugger-unmapped', 'debugger-verified'],
    ...['debugger-limits', 'debugger-vyper', 'debugger-workspace'],
    ...['deposit-analysis', 'failed-logs', 'forged-events', 'foundry-test', 'large-trace'],
    ...['hostile-texts'],
    ...['amsterdam', 'block-rules', 'fork-blob-gas', 'fork-rules', 'many-transfers', 'op-stack'],
    ...['replay-order', 'strange-transactions'],
    ...['known-contracts', 'launch-suggestions', 'lying-upstream', 'main-job', 'opcode-traces'],
    ...['recording-hostile', 'recording-networks', 'replay-proof', 'self-destruction'],
    'taxed-tokens',
  ],
};
