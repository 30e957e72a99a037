import { pino, type Level, type Logger } from 'pino';
import { traceFields } from '../../kernel/requests/request-trace';
import { LogStream } from './log-stream';

export const LOG_LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
] as const satisfies Level[];
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Access keys, fork RPC paths, and URLs of databases. No code logs them on purpose; this pattern masks those inside error messages. */
const SECRETS =
  /\bfl_[0-9a-f]{52}\b|(?<=\/rpc\/)[0-9a-f]{32}\b|(?<=\bpostgres(?:ql)?:\/\/)[^\s"\\]+/g;

/** Longest time for which the exiting process waits for the log, in milliseconds. */
const FLUSH_MS = 1_000;

const stderr = new LogStream();

/** JSON lines on stderr. Logging never blocks: lines that cannot be written are dropped and counted. */
export const createLog = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      mixin: () => traceFields(),
      hooks: { streamWrite: (line) => line.replace(SECRETS, '…') },
    },
    stderr,
  );

/** Resolves when the log is written or cannot be written. Called before the process exits. */
export const flushLog = (): Promise<void> => stderr.flush(FLUSH_MS);
