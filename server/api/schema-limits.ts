import type { ApiErrorName } from './errors';
import { RPC_CODES } from './rpc-codes';

/** One limit of the service: a row of `server/LIMITS.md`. */
export interface Limit {
  readonly value: number;
  readonly unit?:
    'bytes' | 'ms' | 'gas' | 'characters' | 'steps' | 'MB' | 'minutes' | 'seconds' | 'days';
  /** The limited quantity, as a noun phrase. */
  readonly what: string;
  /** Field of the config file that sets the limit; `value` is its default. */
  readonly setting?: string;
  /** Error of the envelope. */
  readonly error?: ApiErrorName;
  /** JSON-RPC error code. */
  readonly rpcError?: number;
  /** The effect beyond the limit, if it is not an error or not only an error. */
  readonly beyond?: string;
}

export type LimitTable = Readonly<Record<string, Limit>>;

/** The values of a table, keyed by the names of its rows. */
export function valuesOf<Table extends LimitTable>(table: Table): Record<keyof Table, number> {
  const rows = Object.entries(table).map(([name, { value }]) => [name, value] as const);
  return Object.fromEntries(rows) as Record<keyof Table, number>;
}

const asGiven = <Table extends LimitTable>(table: Table): Table => table;

/** The limits that the schemas of the API and of the config file enforce. All others are in `server/api/limits.ts`. */
export const CONTRACT_LIMIT_TABLE = asGiven({
  projectsPerUser: {
    value: 20,
    what: 'projects of a user',
    setting: 'limits.projectsPerUser',
    error: 'projectLimit',
  },
  keyLifetime: {
    value: 3_650,
    unit: 'days',
    what: 'time until an access key expires, if it does',
    error: 'invalidField',
  },
  keyOverlap: {
    value: 604_800,
    unit: 'seconds',
    what: 'time for which a rotated access key stays valid',
    error: 'invalidField',
  },
  nameLength: {
    value: 64,
    unit: 'characters',
    what: 'name of a project, fork or snapshot',
    error: 'invalidField',
  },
  labelLength: { value: 60, unit: 'characters', what: 'name of an address', error: 'invalidField' },
  abiItems: { value: 5_000, what: 'items of a given ABI', error: 'invalidField' },
  abiNameLength: {
    value: 256,
    unit: 'characters',
    what: 'name or type in a given ABI',
    error: 'invalidField',
  },
  abiDepth: {
    value: 8,
    what: 'nesting depth of tuples in a given ABI',
    beyond: 'deeper items are ignored',
  },
  artifactFolders: {
    value: 64,
    what: 'folders of build output in a request',
    error: 'invalidField',
  },
  pathLength: {
    value: 4_096,
    unit: 'characters',
    what: 'path of a folder of build output',
    error: 'invalidField',
  },
  breakpoints: {
    value: 1_000,
    what: 'breakpoints of a kind in a search of a recording',
    error: 'invalidField',
  },
  caseAnalyses: { value: 32, what: 'analyses in a case file', error: 'invalidField' },
  watchedSlots: {
    value: 256,
    what: 'slots of a data breakpoint in a search of a recording',
    error: 'invalidField',
  },
  expressionLength: {
    value: 1_000,
    unit: 'characters',
    what: 'expression or condition in a recording',
    error: 'invalidField',
  },
  logMessageLength: {
    value: 2_000,
    unit: 'characters',
    what: 'message of a logpoint',
    error: 'invalidField',
  },
  recordedNameLength: {
    value: 1_000,
    unit: 'characters',
    what: 'name of a file, function or event in a recording',
    error: 'invalidField',
  },
  bisectNames: {
    value: 64,
    what: 'named contracts, and signatures of functions, of an expression over the state of a chain',
    error: 'invalidField',
  },
  regressTransactions: {
    value: 50,
    what: 'transactions in a request that executes them again with new code',
    error: 'invalidField',
  },
  reorderChanges: {
    value: 100,
    what: 'changes of a past block that is executed with other transactions',
    error: 'invalidField',
  },
  touchingTransactions: {
    value: 1_000,
    what: 'transactions of a contract that are looked for, to execute them again with new code',
    error: 'invalidField',
  },
  bisectEvery: {
    value: 100_000,
    what: 'blocks after which the value of an expression is read one by one',
    error: 'invalidField',
  },
  pageSize: { value: 200, what: 'transactions of a fork in a page', error: 'invalidField' },
  balanceTokens: {
    value: 50,
    what: 'contracts that are named to be asked for the balance of an address',
    error: 'invalidField',
  },
  blocksPage: { value: 100, what: 'blocks of a chain in a page', error: 'invalidField' },
  blockTransactionsPage: {
    value: 100,
    what: 'transactions of a block in a page',
    error: 'invalidField',
  },
  watches: {
    value: 50,
    what: 'watched addresses and events in a request',
    error: 'invalidField',
  },
  activityBlocks: {
    value: 50,
    what: 'blocks that a request reads for watched addresses and events',
    beyond: 'older blocks are skipped, and the answer says how many',
  },
  activityTransactions: {
    value: 25,
    what: 'transactions in an answer about watched addresses and events',
    beyond: 'older ones are left out, and the answer counts them',
  },
  decodedBytes: {
    value: 131_072,
    unit: 'bytes',
    what: 'call data or revert data to decode',
    error: 'invalidField',
  },
  decodings: {
    value: 20,
    what: 'signatures in an answer about call data',
    beyond: 'the least trustworthy are left out',
  },
  gas: {
    value: 250_000_000,
    unit: 'gas',
    what: 'gas of a call, a simulation, and of a block of a fork',
    error: 'invalidField',
    rpcError: RPC_CODES.invalidParams,
    beyond: 'a read-only call runs with this limit',
  },
  runningEngines: {
    value: 8,
    what: 'forks with a running engine',
    setting: 'engine.maxRunning',
    beyond: 'the fork that was idle for longest sleeps; if none is idle, forks take turns',
  },
  waitingForks: {
    value: 64,
    what: 'forks that wait for an engine',
    setting: 'engine.maxWaiting',
    error: 'enginesBusy',
    rpcError: RPC_CODES.limitExceeded,
  },
  waitForEngine: {
    value: 30,
    unit: 'seconds',
    what: 'time that a fork waits for an engine',
    setting: 'engine.maxWaitSeconds',
    error: 'enginesBusy',
    rpcError: RPC_CODES.limitExceeded,
  },
  forkJournal: {
    value: 1024,
    unit: 'MB',
    what: 'changes of a fork on disk',
    setting: 'limits.forkJournalMegabytes',
    error: 'journalFull',
    rpcError: RPC_CODES.limitExceeded,
  },
  forkJournalEntries: {
    value: 250_000,
    what: 'changes of a fork',
    setting: 'limits.forkJournalEntries',
    error: 'journalFull',
    rpcError: RPC_CODES.limitExceeded,
  },
  idleEngine: {
    value: 15,
    unit: 'minutes',
    what: 'time that an idle fork keeps its engine',
    setting: 'engine.idleMinutes',
    beyond: 'the fork sleeps until its next request',
  },
  engineMemory: {
    value: 4_096,
    unit: 'MB',
    what: 'memory of an engine (Linux with `prlimit`)',
    setting: 'engine.memoryMegabytes',
    error: 'engineUnavailable',
    rpcError: RPC_CODES.unavailable,
    beyond: 'the engine ends, and another takes its place',
  },
  cacheOnDisk: {
    value: 512,
    unit: 'MB',
    what: 'answers of chains on disk',
    setting: 'cache.maxMegabytes',
    beyond: 'the least recently used answers are deleted',
  },
});

export const CONTRACT_LIMITS = valuesOf(CONTRACT_LIMIT_TABLE);
