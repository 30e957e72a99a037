import { CALLS, CHANGES, namesOf, READS, REFUSED } from './method-names';
import { FAUCET_METHODS } from './faucet';
import { FILTER_METHODS } from '../reads/fork-filters';
import { READS_ACROSS } from '../reads/reads-across';
import { MAX_GAS } from '../launch-fork';

/** Methods of a fork's JSON-RPC address that are treated alike. */
export interface MethodGroup {
  what: string;
  methods: readonly string[];
}

/** Methods with a treatment of their own: see `forkMethod`. */
const KNOWN = [
  ...['eth_chainId', 'eth_blockNumber', 'net_version', 'eth_networkId', 'eth_mining'],
  ...['net_peerCount', 'rpc_modules', 'eth_requestAccounts', 'personal_listAccounts'],
  ...['wallet_getPermissions', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
  ...['evm_addAccount', 'evm_removeAccount', 'personal_unlockAccount', 'personal_lockAccount'],
  ...['evm_getLatest', 'tenderly_getLatest'],
];
const SENDS = [
  ...['eth_sendTransaction', 'eth_sendRawTransaction', 'eth_sendUnsignedTransaction'],
  ...['eth_sendTransactionSync', 'eth_sendRawTransactionSync'],
];
const BUNDLES = ['eth_sendTransactions', 'eth_sendRawTransactions'];
const BLOCKS = [
  ...['evm_mine', 'evm_mine_detailed', 'anvil_mine', 'hardhat_mine', 'tenderly_mine'],
  ...['evm_increaseBlocks'],
];
const SWITCHES = [
  ...['evm_snapshot', 'evm_revert', 'evm_setAutomine', 'anvil_getAutomine'],
  ...['evm_setIntervalMining', 'anvil_autoImpersonateAccount', 'anvil_metadata', 'anvil_nodeInfo'],
];

/** The allow list of a fork's JSON-RPC address: what is not in it is answered with -32601. */
export const METHOD_TABLE: readonly MethodGroup[] = [
  { what: 'Answered by the fork itself', methods: KNOWN },
  { what: 'Read from the fork', methods: [...READS] },
  {
    what: 'Read on both sides of the fork point: what is older comes from the forked chain',
    methods: Object.keys(READS_ACROSS),
  },
  { what: 'Filters, which hold on while the fork sleeps', methods: Object.keys(FILTER_METHODS) },
  {
    what: `Executed without a change; gas is bounded to ${MAX_GAS}`,
    methods: [...CALLS, 'eth_simulateV1'],
  },
  { what: 'Executed in a block of its own; any sender, signed or not', methods: SENDS },
  { what: 'Executed in order in one block, all or none', methods: BUNDLES },
  { what: 'Mines', methods: BLOCKS },
  {
    what: 'Changes state, time or the next block',
    methods: [...new Set([...CHANGES].flatMap(namesOf))],
  },
  {
    what: 'Gives tokens, or says why it cannot',
    methods: [...new Set([...FAUCET_METHODS].flatMap(namesOf))],
  },
  {
    what: 'Snapshots and settings',
    methods: [...new Set(SWITCHES.flatMap(namesOf))],
  },
  { what: 'Over WebSocket only', methods: ['eth_subscribe', 'eth_unsubscribe'] },
];

/** The table as CommonMark, with what is refused and why. */
export function methodTable(): string {
  const code = (methods: readonly string[]): string =>
    methods.map((method) => `\`${method}\``).join(', ');
  const refused = new Map<string, string[]>();
  for (const [method, why] of Object.entries(REFUSED)) {
    if (!/^eth_(un)?subscribe$/.test(method))
      refused.set(why, [...(refused.get(why) ?? []), method]);
  }
  return [
    '| what happens | methods |',
    '| --- | --- |',
    ...METHOD_TABLE.map(({ what, methods }) => `| ${what} | ${code(methods)} |`),
    ...[...refused].map(([why, methods]) => `| Refused (-32004): ${why} | ${code(methods)} |`),
  ].join('\n');
}
