import { Connection, type ConnectionOptions } from '../connection/connection';
import { Output } from '../output/output';
import type { Context } from './context';

export type ContextOptions = Context['globals'] &
  Pick<ConnectionOptions, 'isDataDirGiven' | 'isLongLived'>;

/** @param signal aborts on Ctrl-C */
export function openContext(options: ContextOptions, signal: AbortSignal): Context {
  const out = new Output(options.json);
  const onStatus = out.status.bind(out);
  return {
    globals: options,
    out,
    signal,
    connection: new Connection({ ...options, onStatus }, signal),
  };
}
