import type { Connection } from '../connection/connection';
import type { Output } from '../output/output';
import type { CommandName, Input } from '../table/commands';
import type { Globals } from '../table/global-options';

/** What every command gets beside its own input. */
export interface Context {
  /** `dataDir` is absolute here. */
  globals: Omit<Globals, 'dataDir'> & { dataDir: string };
  out: Output;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  /** Finds, or starts, a service at its first request. */
  connection: Connection;
}

/** @throws UsageError, ApiError, NoServiceError, AbortError */
export type Handler<Name extends CommandName> = (
  input: Input<Name>,
  context: Context,
) => Promise<void>;

export type Handlers<Names extends CommandName> = { readonly [Name in Names]: Handler<Name> };
