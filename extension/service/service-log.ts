import * as z from 'zod';
import type { Log } from '../editor/log';

/** One line of the service's stderr. `plain`: not a JSON log line, for example a crash of the runtime. */
export interface ServiceLogLine {
  level: keyof Log | 'plain';
  message: string;
}

const lineSchema = z.looseObject({ level: z.number(), msg: z.string().default('') });
const ERROR_LEVEL = 50;
const LEVELS = [
  [ERROR_LEVEL, 'error'],
  [40, 'warn'],
  [30, 'info'],
  [20, 'debug'],
] as const satisfies readonly (readonly [number, keyof Log])[];
/** Redundant beside the channel's own time stamp. */
const DROPPED = new Set(['level', 'msg', 'time', 'pid', 'hostname', 'name']);

export function parseLogLine(text: string): ServiceLogLine {
  let line;
  try {
    line = lineSchema.parse(JSON.parse(text));
  } catch {
    return { level: 'plain', message: text };
  }
  const rest = Object.entries(line).filter(([name]) => !DROPPED.has(name));
  const details = rest.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(rest))}`;
  const level = LEVELS.find(([least]) => line.level >= least)?.[1] ?? 'trace';
  // An error's message has no details appended, because it may be shown to the user.
  return { level, message: level === 'error' ? line.msg : line.msg + details };
}

export function writeLogLine(log: Log, { level, message }: ServiceLogLine): void {
  log[level === 'plain' ? 'info' : level](`[service] ${message}`);
}
