import { destination, pino, type Level, type Logger } from 'pino';

export const LOG_LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
] as const satisfies Level[];
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Access keys and fork RPC paths: nothing logs them on purpose, and whatever slips in by an error's text is masked. */
const SECRETS = /\bfl_[0-9a-f]{52}\b|(?<=\/rpc\/)[0-9a-f]{32}\b/g;

/** JSON lines on stderr, written at once: the last words of a dying process count most. */
export const createLog = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      hooks: { streamWrite: (line) => line.replace(SECRETS, '…') },
    },
    destination({ fd: 2, sync: true }),
  );
