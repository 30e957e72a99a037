import type { Connection } from '../connection/connection';
import type { Output } from '../output/output';
import type { CommandName, Input } from '../table/commands';
import type { Globals } from '../table/global-options';

/** Everything that a command gets besides its own input. */
export interface Context {
  /** `dataDir` is absolute here. */
  globals: Omit<Globals, 'dataDir'> & { dataDir: string };
  out: Output;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  /** Finds or starts a service at the first request. */
  connection: Connection;
}

/** @throws UsageError, ApiError, NoServiceError, AbortError */
export type Handler<Name extends CommandName> = (
  input: Input<Name>,
  context: Context,
) => Promise<void>;

export type Handlers<Names extends CommandName> = { readonly [Name in Names]: Handler<Name> };

/** Runs the handler of a command. @param input must have the type that the table declares for the command */
export function runHandler(
  handlers: object,
  name: string,
  input: unknown,
  context: Context,
): Promise<void> {
  const handler = (handlers as Record<string, Handler<never> | undefined>)[name];
  if (handler === undefined) throw new Error(`the command ${name} has no handler`);
  return handler(input as never, context);
}
