import type { LimitTable } from './schema-limits';
import { RPC_CODES } from './rpc-codes';

const MIB = 1024 * 1024;

/** Limits of traces, replays, recordings, and of what they are decoded with. Part of `LIMIT_TABLE`. */
export const ANALYSIS_LIMIT_TABLE = {
  listedBalances: {
    value: 1_000,
    what: 'listed tokens of a chain that are asked for the balance of an address, 200 in a call',
    beyond: 'the others are not asked',
  },

  // Traces and replays
  replayTime: {
    value: 120_000,
    unit: 'ms',
    what: 'time of a trace, a replay, a simulation or a state difference',
    error: 'timedOut',
  },
  executions: {
    value: 4,
    what: 'executions of transactions on engines beside the forks at a time; they take places of `engine.maxRunning`, of which the forks keep one',
    beyond: 'the next one waits',
  },
  executorThreads: {
    value: 4,
    what: 'threads that execute blocks of the OP Stack and of Amsterdam, one block each',
    beyond: 'the next block waits',
  },
  executorMemory: {
    value: 768 * MIB,
    unit: 'bytes',
    what: 'memory of such a thread',
    beyond: 'the execution fails; the answer states the reason',
  },
  proofTime: {
    value: 300_000,
    unit: 'ms',
    what: 'time of the proof of an analysis',
    beyond: 'the analysis has no proof',
  },
  listedSteps: {
    value: 512 * MIB,
    unit: 'bytes',
    what: 'memory of an engine for a list of instructions (a trace without a tracer)',
    rpcError: RPC_CODES.limitExceeded,
  },
  recordedSteps: {
    value: 2_000_000,
    unit: 'steps',
    what: 'instructions of an execution that is recorded for debugging',
    error: 'recordingTooLarge',
  },
  recordedBytes: {
    value: 256 * MIB,
    unit: 'bytes',
    what: 'memory of a recording',
    error: 'recordingTooLarge',
  },
  recordingTime: {
    value: 120_000,
    unit: 'ms',
    what: 'time for a recording, from its trace on',
    error: 'timedOut',
  },
  recordingsKept: {
    value: 512 * MIB,
    unit: 'bytes',
    what: 'memory of all recordings that are kept',
    beyond: 'the least recently used one is regenerated when it is needed',
  },
  recordingFiles: {
    value: 512 * MIB,
    unit: 'bytes',
    what: 'recordings of transactions of chains, and of simulations, on disk',
    beyond:
      'the least recently used ones are deleted, and regenerated from the answers of the node; a simulation on a fork has to be simulated again',
  },
  forgeOutput: {
    value: 4096 * MIB,
    unit: 'bytes',
    what: 'output of `forge test`',
    error: 'recordingTooLarge',
  },
  forgeCalls: {
    value: 64 * MIB,
    unit: 'bytes',
    what: 'the same without its steps',
    error: 'recordingTooLarge',
  },
  recordedTests: {
    value: 8,
    what: 'tests of Foundry that are known',
    beyond: 'the oldest one has to be debugged again',
  },
  recordedSimulations: {
    value: 200,
    what: 'recorded simulations that are known without reading the disk',
    beyond: 'the least recently used one is read from the disk when it is needed',
  },
  consoleLines: {
    value: 1_000,
    what: 'messages of `console.log` of a transaction',
    beyond: 'the first ones are listed, with their number in all',
  },
  consoleData: {
    value: 16_384,
    unit: 'bytes',
    what: 'call data of one message of `console.log`',
    beyond: 'its size is shown',
  },
  recordedCallsPage: {
    value: 1_000,
    what: 'calls of a recording in one answer',
    error: 'invalidField',
  },
  recordedBytesPage: {
    value: 64 * 1024,
    unit: 'bytes',
    what: 'memory, call data, return data or code of a recording in one answer',
    error: 'invalidField',
  },
  recordedVariablesPage: {
    value: 1_000,
    what: 'variables of a recording in one answer',
    error: 'invalidField',
  },
  calledSteps: {
    value: 100_000,
    unit: 'steps',
    what: 'instructions of a function that an expression calls at a step of a recording',
    beyond: 'its value is unavailable',
  },
  untouchedSlots: {
    value: 512,
    what: 'slots that the transaction does not touch, read from the chain for one answer about a recording; an account counts for 16',
    beyond: 'variables in further slots are unavailable',
  },
  disassemblyPage: {
    value: 2_000,
    what: 'instructions of a code of a recording in one answer',
    error: 'invalidField',
  },
  loggedMessage: {
    value: 8_192,
    unit: 'characters',
    what: 'message of a logpoint with its values',
    beyond: 'the message is cut, and says so',
  },
  searchMessages: {
    value: 10_000,
    what: 'messages of logpoints in an answer of a search',
    beyond:
      'the search ends there (`unfinished`), and another one goes on from there; those of a single step are left out and counted from twice as many on',
  },
  searchText: {
    value: 2 * MIB,
    unit: 'characters',
    what: 'messages of logpoints in an answer of a search together',
    beyond: 'the same',
  },
  watchedAccesses: {
    value: 2_000_000,
    what: 'accesses to the slots of the data breakpoints of a search together',
    error: 'invalidField',
  },
  findTime: {
    value: 30_000,
    unit: 'ms',
    what: 'time of a search in a recording',
    error: 'timedOut',
  },
  detailSteps: {
    value: 500_000,
    unit: 'steps',
    what: 'instructions of an execution whose reverted logs are read',
    beyond: 'those logs are omitted',
  },
  placeSteps: {
    value: 2_000_000,
    unit: 'steps',
    what: 'instructions of an execution for source locations',
    error: 'upstreamLacksData',
  },
  traceFiles: {
    value: 512 * MIB,
    unit: 'bytes',
    what: 'traces on disk',
    beyond: 'the least recently used traces are deleted',
  },

  // Files of build output
  artifactFile: {
    value: 16 * MIB,
    unit: 'bytes',
    what: 'file of build output',
    beyond: 'the file is not read',
  },
  artifactFiles: {
    value: 5_000,
    what: 'files of a folder of build output',
    beyond: 'further files are not read; the log says so',
  },
  buildInfoFile: {
    value: 256 * MIB,
    unit: 'bytes',
    what: 'build-info file',
    beyond: 'its contracts have no source locations',
  },

  // Sources of verified contracts
  sourceAnswer: {
    value: 16 * MIB,
    unit: 'bytes',
    what: 'answer of a service with the source of a verified contract',
    beyond: 'the source is unknown',
  },
  sourceFiles: {
    value: 2_000,
    what: 'files of a verified contract',
    beyond: 'the source is unknown',
  },
  sourceNames: {
    value: MIB / 4,
    unit: 'characters',
    what: 'names of the files of a verified contract together',
    beyond: 'the source is unknown',
  },
  sourceText: {
    value: 8 * MIB,
    unit: 'characters',
    what: 'files of a verified contract together',
    beyond: 'the source is unknown',
  },
  sourceLines: {
    value: 500_000,
    what: 'lines of the files of a verified contract together',
    beyond: 'the source is unknown',
  },
  compiledSources: {
    value: 4 * MIB,
    unit: 'bytes',
    what: 'files of a verified contract, or of one in a case file, that are compiled by an installed `solc`',
    beyond: 'its local variables are unavailable',
  },
  unoptimizedGas: {
    value: 16,
    what: 'work of an unoptimized build: so many times the gas limit of the transaction',
    beyond: 'the executed build is shown, with the reason',
  },
  unoptimizedMoreGas: {
    value: 10_000_000,
    unit: 'gas',
    what: 'work of an unoptimized build besides that',
    beyond: 'the executed build is shown, with the reason',
  },
  compilerTime: {
    value: 60_000,
    unit: 'ms',
    what: 'processor time of an installed `solc` for the sources of one verified contract (on Windows, time)',
    beyond: 'the compiler is ended, and local variables of the contract are unavailable',
  },
  compilerWait: {
    value: 300_000,
    unit: 'ms',
    what: 'time of such a compilation, on a busy machine',
    beyond: 'the same',
  },
  compilerMemory: {
    value: 2_048 * MIB,
    unit: 'bytes',
    what: 'memory of an installed `solc`; one runs at a time',
    beyond: 'the compiler ends, and local variables of the contract are unavailable',
  },
  compilerOutput: {
    value: 48 * MIB,
    unit: 'bytes',
    what: 'output of an installed `solc` for one verified contract, as JSON',
    beyond: 'local variables of the contract are unavailable',
  },
  waitingCompilations: {
    value: 200,
    what: 'verified contracts that wait for an installed `solc`',
    beyond: 'local variables of further ones are unavailable at this time',
  },
  sourceCache: {
    value: 256 * MIB,
    unit: 'bytes',
    what: 'sources of verified contracts on disk, with what an installed `solc` made of them, compressed',
    beyond: 'the least recently used sources are deleted',
  },
} as const satisfies LimitTable;
