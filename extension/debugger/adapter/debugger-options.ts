import type { ApiClient } from '../../../server/api/client';
import type { Changes } from './block-watch';
import type { Locate } from './sources';
import type { Builds } from './source-watch';

/** What a debugger is given by its client. */
export interface DebuggerOptions {
  client: ApiClient;
  /** Where the client opens files; without it, the client asks for their texts. */
  locate?: Locate;
  /** Without it, a change of a fork is noticed at the next stop. */
  changes?: Changes;
  /** Without it, new sources are noticed at the next stop. */
  builds?: Builds;
  /** `kept` of the configuration. */
  kept?: unknown;
  /** Receives errors, for a log. */
  onError?: (error: unknown) => void;
}
