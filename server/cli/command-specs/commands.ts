import { CASE_COMMANDS } from './case-commands';
import type { CommandSpec, InputOf } from './command';
import { CI_COMMANDS } from './ci-commands';
import { DATA_COMMANDS } from './data-commands';
import { FORK_COMMANDS, SNAPSHOT_COMMANDS } from './fork-commands';
import { LOCK_COMMANDS } from './lock-commands';
import { HISTORY_COMMANDS } from './history-commands';
import { PROJECT_COMMANDS } from './project-commands';
import { ACCOUNT_COMMANDS, ADMIN_COMMANDS, LOCAL_COMMANDS } from './service-commands';
import { TRANSACTION_COMMANDS } from './transaction-commands';

/** All commands by name. The handlers are typed by this table, so the compiler reports a missing handler. */
export const COMMANDS = {
  ...FORK_COMMANDS,
  ...SNAPSHOT_COMMANDS,
  ...TRANSACTION_COMMANDS,
  ...LOCK_COMMANDS,
  ...CI_COMMANDS,
  ...HISTORY_COMMANDS,
  ...CASE_COMMANDS,
  ...PROJECT_COMMANDS,
  ...DATA_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...ADMIN_COMMANDS,
  ...LOCAL_COMMANDS,
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;
export type Input<Name extends CommandName> = InputOf<(typeof COMMANDS)[Name]>;

/** Commands with a common first word, grouped for the help and the documentation. */
export const GROUPS: Readonly<Record<string, string>> = {
  fork: 'forks: copies of a chain with a JSON-RPC address of their own',
  'fork snapshot': 'named states of a fork',
  tx: 'analyses of transactions',
  lock: 'lockfiles: what programs such as fork tests have read of chains',
  ci: 'jobs of continuous integration',
  case: 'case files: a transaction with all that is read about it',
  project: 'projects, which hold forks',
  collaborator: 'who else uses a project',
  chain: 'chains, their blocks and addresses',
  abi: 'ABIs that you gave',
  label: 'your names of addresses',
  artifacts: 'build output of your contracts',
  profile: 'services that forklens login has stored',
  user: 'users of the service of the data directory',
  key: 'access keys of the service of the data directory',
  node: 'services that run on one PostgreSQL database',
  sandbox: 'the built-in chain',
  solc: 'compilers of Solidity, with which the debugger finds local variables',
  store: 'what is kept on disk: users, keys, projects, forks, labels, ABIs',
};

/** Headings of the help, with the first words of the commands below each. */
export const TOPICS: Readonly<Record<string, readonly string[]>> = {
  'Forks and transactions:': ['fork', 'tx', 'analyze', 'simulate', 'compare', 'test'],
  'Tests and continuous integration:': ['lock', 'ci'],
  'The past of a chain:': ['bisect', 'regress', 'reorder', 'upgrade-check'],
  'Case files:': ['case', 'open', 'verify'],
  'Projects:': ['project', 'collaborator', 'events'],
  'Chains, ABIs and names:': ['chain', 'abi', 'label', 'artifacts'],
  'Connection to a service:': ['login', 'logout', 'profile', 'account', 'quota'],
  'On this machine:': ['demo', 'sandbox', 'serve', 'mcp', 'doctor', 'solc', 'completion'],
  'Administration:': ['user', 'key', 'audit', 'node', 'store'],
};

export const EXIT_CODES = [
  [0, 'The command did what it says.'],
  [
    1,
    'It failed, or found something wrong (doctor, store check, compare --exit-code, ci compare, regress, reorder, upgrade-check, a missing read).',
  ],
  [2, 'The command line, the config file or a value is wrong.'],
  [3, 'No service answers, and none could be started.'],
  [4, 'The access key is missing, unknown, or lacks the scope.'],
  [130, 'Cancelled by Ctrl-C.'],
] as const;
