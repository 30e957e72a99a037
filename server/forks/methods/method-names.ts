/** Read methods that are passed to the engine unchanged. */
export const READS: ReadonlySet<string> = new Set([
  'web3_clientVersion',
  'web3_sha3',
  'net_listening',
  'eth_protocolVersion',
  'eth_syncing',
  'eth_coinbase',
  'eth_hashrate',
  'eth_blobBaseFee',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_getAccountInfo',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getRawTransactionByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getTransactionBySenderAndNonce',
  'txpool_status',
  'txpool_inspect',
  'erigon_getHeaderByNumber',
  'ots_getApiLevel',
  'ots_hasCode',
  'ots_getBlockDetails',
  'ots_getBlockDetailsByHash',
  'ots_getBlockTransactions',
  'anvil_getBlobByHash',
]);

/** Methods that execute code without changing anything: their gas is bounded. */
export const CALLS: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'debug_traceCall',
  'eth_simulateV1',
]);

/** Tracers of the engine, and tracers derived from them. Custom scripts are refused, because an engine cannot interrupt them. */
export const TRACERS: ReadonlySet<unknown> = new Set([
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  'flatCallTracer',
  'muxTracer',
]);

/** Reasons why methods that the engine offers are not available. */
export const REFUSED: Readonly<Record<string, string>> = {
  anvil_setRpcUrl: 'the upstream of a fork is fixed',
  anvil_enableTraces: 'the logs of the engine belong to the service',
  anvil_setChainId: 'the chain id of a fork is fixed when it is created',
  hardhat_setChainId: 'the chain id of a fork is fixed when it is created',
  anvil_reorg: 'use snapshots to revert a fork',
  anvil_rollback: 'use snapshots to revert a fork',
  hardhat_setPrevRandao: 'the engine computes PREVRANDAO',
  eth_signTypedData: 'its data is not typed by EIP-712; use eth_signTypedData_v4',
  eth_subscribe: 'subscriptions need a WebSocket connection, at the same address',
  eth_unsubscribe: 'subscriptions need a WebSocket connection, at the same address',
};

/** Methods that only change the engine's state: name without prefix, and the engine's method. */
const CHANGE_WORDS: Readonly<Record<string, string>> = {
  setBalance: 'anvil_setBalance',
  setAccountBalance: 'anvil_setBalance',
  addBalance: 'anvil_addBalance',
  setCode: 'anvil_setCode',
  setAccountCode: 'anvil_setCode',
  setNonce: 'anvil_setNonce',
  setAccountNonce: 'anvil_setNonce',
  setStorageAt: 'anvil_setStorageAt',
  setAccountStorageAt: 'anvil_setStorageAt',
  setERC20Allowance: 'anvil_setERC20Allowance',
  setErc20Allowance: 'anvil_setERC20Allowance',
  setCoinbase: 'anvil_setCoinbase',
  setMinGasPrice: 'anvil_setMinGasPrice',
  setNextBlockBaseFeePerGas: 'anvil_setNextBlockBaseFeePerGas',
  setBlockGasLimit: 'anvil_setBlockGasLimit',
  impersonateAccount: 'anvil_impersonateAccount',
  stopImpersonatingAccount: 'anvil_stopImpersonatingAccount',
  dropTransaction: 'anvil_dropTransaction',
  dropAllTransactions: 'anvil_dropAllTransactions',
  removePoolTransactions: 'anvil_removePoolTransactions',
  increaseTime: 'evm_increaseTime',
  setNextBlockTimestamp: 'evm_setNextBlockTimestamp',
  setTime: 'evm_setTime',
  setBlockTimestampInterval: 'anvil_setBlockTimestampInterval',
  removeBlockTimestampInterval: 'anvil_removeBlockTimestampInterval',
};

/** The same for snapshots and settings, which the fork itself handles. */
const SETTING_WORDS: Readonly<Record<string, string>> = {
  autoImpersonateAccount: 'anvil_autoImpersonateAccount',
  getAutomine: 'anvil_getAutomine',
  setAutomine: 'evm_setAutomine',
  setIntervalMining: 'evm_setIntervalMining',
  getIntervalMining: 'anvil_getIntervalMining',
  snapshot: 'evm_snapshot',
  revert: 'evm_revert',
  reset: 'anvil_reset',
  setLoggingEnabled: 'anvil_setLoggingEnabled',
  dumpState: 'anvil_dumpState',
  loadState: 'anvil_loadState',
  metadata: 'anvil_metadata',
  nodeInfo: 'anvil_nodeInfo',
};

const PREFIXES = ['anvil', 'hardhat', 'evm', 'tenderly', 'forklens'];

/** Names of methods in other tools, and the canonical name of each. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...withPrefixes(CHANGE_WORDS),
    ...withPrefixes(SETTING_WORDS),
    hardhat_mine: 'anvil_mine',
    tenderly_mine: 'anvil_mine',
    evm_increaseBlocks: 'anvil_mine',
    eth_sendUnsignedTransaction: 'eth_sendTransaction',
    ...named(
      ['anvil', 'hardhat'],
      ['dealERC20', 'dealErc20', 'setERC20Balance'],
      'anvil_dealERC20',
    ),
    ...named(
      ['tenderly', 'forklens'],
      ['setErc20Balance', 'setERC20Balance', 'dealErc20', 'dealERC20'],
      'tenderly_setErc20Balance',
    ),
    ...named(
      ['tenderly', 'forklens'],
      ['addErc20Balance', 'addERC20Balance'],
      'tenderly_addErc20Balance',
    ),
    ...named(
      ['tenderly', 'forklens'],
      ['setMaxErc20Balance', 'setMaxERC20Balance'],
      'tenderly_setMaxErc20Balance',
    ),
    ...named(['forklens', 'anvil'], ['dealERC721', 'dealErc721'], 'forklens_dealERC721'),
    ...named(['forklens', 'anvil'], ['dealERC1155', 'dealErc1155'], 'forklens_dealERC1155'),
  }),
);

function named(
  prefixes: readonly string[],
  names: readonly string[],
  method: string,
): Record<string, string> {
  const all = prefixes.flatMap((prefix) => names.map((name) => [`${prefix}_${name}`, method]));
  return Object.fromEntries(all) as Record<string, string>;
}

function withPrefixes(words: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(words).map(([word, method]) => named(PREFIXES, [word], method));
  return Object.assign({}, ...all) as Record<string, string>;
}

/** The canonical name of a method. */
export const canonicalName = (method: string): string => ALIASES.get(method) ?? method;

/** All names of a method, the canonical one first. */
export function namesOf(method: string): string[] {
  const aliases = [...ALIASES].filter(([, known]) => known === method).map(([alias]) => alias);
  return [...new Set([method, ...aliases])];
}

/** Methods that only change the engine's state. */
export const CHANGES: ReadonlySet<string> = new Set(Object.values(CHANGE_WORDS));
