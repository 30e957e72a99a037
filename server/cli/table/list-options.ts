import { choice } from './kinds';
import { flag, withDefault } from './parameter';

/** Options of commands that print a table. */
export const LIST_OPTIONS = {
  quiet: flag('print the first column alone, one line each, for pipes', { short: 'q' }),
  format: withDefault(choice('table', 'csv', 'json'), 'format', 'table, csv or json', 'table'),
} as const;
