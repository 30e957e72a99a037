import type { Disposable } from '../emitter';

/** `owner`: this window's child process; `attached`: another window's, on the same data directory; `remote`: by URL. */
export type Ownership = 'owner' | 'attached' | 'remote';

export type ServiceState =
  | { kind: 'stopped' }
  /** `attempt` counts restarts after a crash; 0 for a start that was asked for. */
  | { kind: 'starting'; attempt: number }
  | { kind: 'running'; url: string; ownership: Ownership }
  | { kind: 'stopping' }
  | { kind: 'failed'; message: string }
  | { kind: 'notConfigured'; message: string };

/** A service that answers. */
export interface ServiceConnection {
  /** Base URL without a trailing slash. */
  url: string;
  /** Asks the owned process for a key of its local user; undefined where the service is not ours to ask. */
  issueAccessKey: (() => Promise<string>) | undefined;
}

/** The service as the rest of the extension sees it, wherever it runs. */
export interface Service {
  /** Tells one service from another: an access key belongs to exactly one. */
  readonly id: string;
  readonly state: ServiceState;
  readonly onDidChangeState: (listener: (state: ServiceState) => void) => Disposable;
  /**
   * The running service; starts it on first use.
   * @throws ServiceUnavailableError where it was stopped by hand, failed, or is not configured
   */
  connect(): Promise<ServiceConnection>;
  /** Starts it, also after a stop or a failure. */
  start(): Promise<ServiceConnection>;
  /** @throws ApiError `ownerOnly` where the process is not this window's */
  stop(): Promise<void>;
  restart(): Promise<ServiceConnection>;
  /** Looks whether a service that seemed unreachable still answers, and corrects the state. */
  check(): Promise<void>;
  dispose(): Promise<void>;
}
