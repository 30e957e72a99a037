import type { Disposable } from '../editor/emitter';

/** `owner`: this window's child process; `attached`: another window's, on the same data directory; `remote`: by URL. */
export type Ownership = 'owner' | 'attached' | 'remote';

export type ServiceState =
  | { kind: 'stopped' }
  /** `attempt` counts restarts after a crash; 0 for a requested start. */
  | { kind: 'starting'; attempt: number }
  | { kind: 'running'; url: string; ownership: Ownership }
  | { kind: 'stopping' }
  | { kind: 'failed'; message: string }
  | { kind: 'notConfigured'; message: string };

/** A service that answers. */
export interface ServiceConnection {
  /** Base URL without a trailing slash. */
  url: string;
  /** Requests a key of the local user from the owned process; undefined if this window does not own the process. */
  issueAccessKey: (() => Promise<string>) | undefined;
}

/** The service, independent of where it runs. */
export interface Service {
  /** Identifies the service. An access key belongs to exactly one service. */
  readonly id: string;
  readonly state: ServiceState;
  readonly onDidChangeState: (listener: (state: ServiceState) => void) => Disposable;
  /**
   * Returns the connection to the running service; starts the service on first use.
   * @throws ServiceUnavailableError if the user stopped it, it failed, or it is not configured
   */
  connect(): Promise<ServiceConnection>;
  /** Starts it, even after a stop or a failure. */
  start(): Promise<ServiceConnection>;
  /** @throws ApiError `ownerOnly` if another window owns the process */
  stop(): Promise<void>;
  restart(): Promise<ServiceConnection>;
  /** Checks whether a service that seemed unreachable answers, and corrects the state. */
  check(): Promise<void>;
  dispose(): Promise<void>;
}
