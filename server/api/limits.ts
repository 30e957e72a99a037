import { ANALYSIS_LIMIT_TABLE } from './analysis-limits';
import { CASE_LIMIT_TABLE } from './case-limits';
import { CONTRACT_LIMIT_TABLE, valuesOf, type LimitTable } from './schema-limits';
import { RPC_CODES } from './rpc-codes';

const MIB = 1024 * 1024;

/**
 * All limits that clients and operators can reach. `server/LIMITS.md` is generated from this table, and the code that enforces a limit
 * reads its value from `LIMITS`.
 */
export const LIMIT_TABLE = {
  ...CONTRACT_LIMIT_TABLE,

  keysPerUser: {
    value: 100,
    what: 'valid access keys of a user, if the user issues them over REST',
    error: 'keyLimit',
  },

  // Quotas
  quotaForks: {
    value: Infinity,
    what: 'forks of a user (in the projects that the user owns) or of a project; `limits.quotas.user.forks`, `limits.quotas.project.forks`',
    error: 'forkQuota',
  },
  quotaEngines: {
    value: Infinity,
    what: 'running engines of the forks of a user or a project; `limits.quotas.user.runningEngines`, `limits.quotas.project.runningEngines`',
    error: 'engineQuota',
    rpcError: RPC_CODES.limitExceeded,
  },
  quotaDisk: {
    value: Infinity,
    what: 'MiB of journals of the forks of a user or a project; those of other nodes are looked at every 5 s; `limits.quotas.user.diskMegabytes`, `limits.quotas.project.diskMegabytes`',
    error: 'diskQuota',
    rpcError: RPC_CODES.limitExceeded,
  },
  quotaRequests: {
    value: Infinity,
    what: 'REST requests of a user, or concerning a project, per minute; `limits.quotas.user.requestsPerMinute`, `limits.quotas.project.requestsPerMinute`',
    error: 'requestQuota',
  },
  quotaAnalyses: {
    value: Infinity,
    what: 'analyses, simulations and recordings of a user, or on the forks of a project, at a time; `limits.quotas.user.analyses`, `limits.quotas.project.analyses`',
    error: 'analysisQuota',
  },

  auditedRefusals: {
    value: 200,
    what: 'refused requests of a user in the audit log, in an hour',
    beyond: 'further ones are left out; the log says so',
  },

  // HTTP
  restBody: { value: MIB, unit: 'bytes', what: 'body of a REST request', error: 'bodyTooLarge' },
  jsonDepth: {
    value: 64,
    what: 'nesting depth of arrays and objects in a body',
    error: 'invalidField',
    rpcError: RPC_CODES.invalidRequest,
  },
  requestsPerMinute: {
    value: 600,
    what: 'requests to `/v1`, and to `/admin`, per minute and client address; none on a loopback address by default',
    setting: 'limits.requestsPerMinute',
    error: 'tooManyRequests',
  },
  connections: {
    value: 2_000,
    what: 'connections of clients; by default half of the open files that the system allows, if that is less',
    setting: 'limits.connections',
    beyond: 'the connection is closed',
  },
  headersTime: {
    value: 15_000,
    unit: 'ms',
    what: 'time until the headers of a request have arrived',
    error: 'invalidField',
    beyond: 'the connection is closed',
  },
  requestTime: {
    value: 120_000,
    unit: 'ms',
    what: 'time until a request has arrived with its body',
    error: 'invalidField',
    beyond: 'the connection is closed',
  },
  // Longer than the 90 s after which HTTP clients of Rust and Go close an idle connection: a request that meets the close fails.
  idleConnection: {
    value: 100_000,
    unit: 'ms',
    what: 'time between two requests of a connection',
    beyond: 'the connection is closed',
  },
  slowReader: {
    value: 30,
    unit: 'seconds',
    what: 'time in which a client reads none of its pending answers, events and WebSocket messages',
    setting: 'limits.readerSeconds',
    beyond: 'the connection is closed',
  },
  eventStreams: {
    value: 32,
    what: 'open streams of `GET /v1/events` of a user',
    error: 'tooManyRequests',
  },
  labels: { value: 2_000, what: 'names of addresses of a user', error: 'labelLimit' },
  namedSnapshots: { value: 100, what: 'named snapshots of a fork', error: 'snapshotLimit' },

  // Forks
  engineTurn: {
    value: 2_000,
    unit: 'ms',
    what: 'time that a fork runs while others wait; the duration of its start, up to 20 s, if that is longer',
    beyond: 'it finishes its pending requests, and waits for its next turn',
  },

  // Nodes on one database
  capacity: {
    value: 10_000,
    what: 'engines of a node (`--capacity`)',
    beyond: 'it does not start',
  },
  repeatedBody: {
    value: 64 * 1024,
    unit: 'bytes',
    what: 'body of a request that a node sends again if the first node does not run the fork',
    error: 'forkElsewhere',
    beyond: 'the client has to send it again',
  },

  // JSON-RPC of forks
  rpcBody: {
    value: 8 * MIB,
    unit: 'bytes',
    what: 'body of a JSON-RPC request, and message of a WebSocket',
    rpcError: RPC_CODES.limitExceeded,
    beyond: 'HTTP 413; a WebSocket is closed (1009)',
  },
  rpcBatch: { value: 1_000, what: 'requests of a batch', rpcError: RPC_CODES.invalidRequest },
  rpcCallsPerMinute: {
    value: 60_000,
    what: 'JSON-RPC calls to forks per minute and client address; none on a loopback address by default',
    setting: 'limits.rpcCallsPerMinute',
    rpcError: RPC_CODES.limitExceeded,
    beyond: 'HTTP 429 with `Retry-After`',
  },
  silentWebSocket: {
    value: 30_000,
    unit: 'ms',
    what: 'time between two pings of a WebSocket',
    beyond: 'a WebSocket that sent nothing since the last ping is closed',
  },
  subscriptions: {
    value: 200,
    what: 'subscriptions of a WebSocket',
    rpcError: RPC_CODES.limitExceeded,
  },
  followers: {
    value: 2_000,
    what: 'subscriptions and filters of a fork',
    rpcError: RPC_CODES.limitExceeded,
  },
  filters: {
    value: 1_000,
    what: 'filters of a fork',
    beyond: 'the least recently used filter ends',
  },
  filterEntries: {
    value: 1_000,
    what: 'addresses, and topics, of a filter or a subscription',
    rpcError: RPC_CODES.invalidParams,
  },
  followerBytes: {
    value: 16 * MIB,
    unit: 'bytes',
    what: 'parameters of the subscriptions and filters of a fork, as JSON',
    rpcError: RPC_CODES.limitExceeded,
  },
  callsPerConnection: {
    value: 16,
    what: 'calls of one connection that a fork executes at a time',
    beyond: 'further calls wait',
  },
  bytesPerConnection: {
    value: 16,
    unit: 'MB',
    what: 'pending requests and answers of a connection to a fork',
    setting: 'limits.connectionMegabytes',
    rpcError: RPC_CODES.limitExceeded,
    beyond: 'answers wait for earlier ones; requests get HTTP 429',
  },
  bytesPerFork: {
    value: 64,
    unit: 'MB',
    what: 'pending requests and answers at the address of a fork',
    setting: 'limits.forkMegabytes',
    rpcError: RPC_CODES.limitExceeded,
    beyond: 'answers wait up to 10 s; requests get HTTP 429',
  },
  bytesUnderWay: {
    value: 256,
    unit: 'MB',
    what: 'pending requests and answers at the addresses of all forks',
    setting: 'limits.serviceMegabytes',
    rpcError: RPC_CODES.limitExceeded,
    beyond: 'answers wait up to 10 s; requests get HTTP 429',
  },
  spool: {
    value: 2_048 * MIB,
    unit: 'bytes',
    what: 'answers of engines that wait on disk for slow clients',
    beyond: 'the connection is closed',
  },
  answer: {
    value: 256 * MIB,
    unit: 'bytes',
    what: "answer of a chain's node or an engine that is read as a whole",
    rpcError: RPC_CODES.limitExceeded,
  },
  simulatedCalls: {
    value: 1_000,
    what: 'calls of `eth_simulateV1`',
    rpcError: RPC_CODES.simulationTooLarge,
  },
  simulationWork: {
    value: 2_000_000_000,
    unit: 'gas',
    what: 'gas of all passes of one `eth_simulateV1`',
    rpcError: RPC_CODES.simulationTooLarge,
  },
  bundle: { value: 200, what: 'transactions of a bundle', rpcError: RPC_CODES.invalidParams },
  simulatedBlocks: {
    value: 256,
    what: 'blocks of `eth_simulateV1`',
    rpcError: RPC_CODES.simulationTooLarge,
  },
  signedData: {
    value: 128 * 1024,
    unit: 'characters',
    what: 'message or typed data that a fork signs',
    rpcError: RPC_CODES.invalidParams,
  },
  typedDataTypes: {
    value: 50,
    what: 'types of typed data (EIP-712)',
    rpcError: RPC_CODES.invalidParams,
  },
  syncSendTime: {
    value: 30_000,
    unit: 'ms',
    what: 'time that `eth_sendTransactionSync` and `eth_sendRawTransactionSync` wait for the receipt',
    rpcError: 4,
  },
  storageValues: {
    value: 1_024,
    what: 'slots of `eth_getStorageValues`',
    rpcError: RPC_CODES.invalidParams,
  },
  feeHistory: {
    value: 1_024,
    what: 'blocks of `eth_feeHistory`',
    beyond: 'only the newest are returned',
  },
  logPages: {
    value: 1_000,
    what: "requests to the forked chain's node for one `eth_getLogs`",
    rpcError: RPC_CODES.limitExceeded,
  },
  blockTime: {
    value: 253_402_300_799,
    what: 'time of a block in Unix seconds (end of the year 9999)',
    rpcError: RPC_CODES.invalidParams,
  },
  keptStates: {
    value: 256,
    what: 'newest blocks of a fork whose state is kept, for reads and traces',
    rpcError: RPC_CODES.notFound,
  },
  loadedState: {
    value: 32 * MIB,
    unit: 'bytes',
    what: 'state of `anvil_loadState`, uncompressed',
    rpcError: RPC_CODES.invalidParams,
  },
  miningInterval: {
    value: 2_000_000,
    unit: 'seconds',
    what: 'time between two blocks of interval mining',
    rpcError: RPC_CODES.invalidParams,
  },
  keptReads: {
    value: 4 * MIB,
    unit: 'bytes',
    what: 'answers to reads of the newest state that an engine keeps until the next change',
    beyond: 'the least recently used answers are dropped, and requested again',
  },

  ...CASE_LIMIT_TABLE,
  ...ANALYSIS_LIMIT_TABLE,
} as const satisfies LimitTable;

export const LIMITS = valuesOf(LIMIT_TABLE);
