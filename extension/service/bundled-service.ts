import * as l10n from '@vscode/l10n';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../server/api/errors';
import { Emitter } from '../editor/emitter';
import { ServiceUnavailableError } from '../model/errors';
import { openEndpoint, type Endpoint } from './endpoint';
import { RestartPolicy } from './restart-policy';
import type { Service, ServiceConnection, ServiceState } from '../model/service';
import type { ServiceProcessOptions } from './service-process';

export interface BundledServiceOptions extends ServiceProcessOptions {
  /** Called after a service was started or found, before its first use. Must not reject. */
  prepare?: (dataDirectory: string) => Promise<void>;
}

/**
 * The service that is bundled with the extension. It starts on first use, restarts after a crash, and stops with the window.
 * Windows with the same data directory share one service; when its owner closes, another window starts its own.
 */
export class BundledService implements Service {
  readonly id: string;
  readonly #options: BundledServiceOptions;
  readonly #restarts: Pick<RestartPolicy, 'afterCrash' | 'reset'>;
  readonly #changes = new Emitter<ServiceState>();
  readonly onDidChangeState = this.#changes.event;
  #state: ServiceState = { kind: 'stopped' };
  #stoppedByHand = false;
  #endpoint: Endpoint | undefined;
  /** Shared by all callers while the service starts. */
  #opening: Promise<ServiceConnection> | undefined;
  #lifetime = new AbortController();

  constructor(
    options: BundledServiceOptions,
    restarts: Pick<RestartPolicy, 'afterCrash' | 'reset'> = new RestartPolicy(() =>
      performance.now(),
    ),
  ) {
    this.id = `bundled:${options.dataDirectory}`;
    this.#options = options;
    this.#restarts = restarts;
  }

  get state(): ServiceState {
    return this.#state;
  }

  async connect(): Promise<ServiceConnection> {
    if (this.#endpoint !== undefined) return this.#endpoint.connection;
    if (this.#opening !== undefined) return this.#opening;
    if (this.#state.kind === 'failed') {
      throw new ServiceUnavailableError('failed', this.#state.message);
    }
    if (this.#stoppedByHand) {
      throw new ServiceUnavailableError('stopped', l10n.t('the Forklens service is stopped'));
    }
    return this.start();
  }

  async start(): Promise<ServiceConnection> {
    if (this.#endpoint !== undefined) return this.#endpoint.connection;
    if (this.#opening !== undefined) return this.#opening;
    this.#stoppedByHand = false;
    this.#restarts.reset();
    this.#lifetime = new AbortController();
    return this.#open({ attempt: 0, delayMs: 0 });
  }

  async stop(): Promise<void> {
    if (this.#endpoint?.ownership === 'attached') {
      throw new ApiError(
        'ownerOnly',
        l10n.t('the service was started by another window or terminal; stop or restart it there'),
      );
    }
    this.#stoppedByHand = true;
    await this.#close();
  }

  async restart(): Promise<ServiceConnection> {
    await this.stop();
    return this.start();
  }

  async check(): Promise<void> {
    // The end of the process, or of the connection to another window's service, is already detected.
  }

  async dispose(): Promise<void> {
    this.#stoppedByHand = true;
    await this.#close();
  }

  #open(restart: { attempt: number; delayMs: number }): Promise<ServiceConnection> {
    const { signal } = this.#lifetime;
    this.#setState({ kind: 'starting', attempt: restart.attempt });
    const opening = this.#openOnce(restart.delayMs, signal).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  async #openOnce(delayMs: number, signal: AbortSignal): Promise<ServiceConnection> {
    try {
      await delay(delayMs, undefined, { signal });
      const endpoint = await openEndpoint(this.#options, signal);
      await this.#options.prepare?.(this.#options.dataDirectory);
      if (signal.aborted) await endpoint.close();
      signal.throwIfAborted();
      this.#endpoint = endpoint;
      const { connection, ownership } = endpoint;
      this.#setState({ kind: 'running', url: connection.url, ownership });
      void endpoint.gone.then((how) => {
        this.#onGone(endpoint, how);
      });
      return connection;
    } catch (error) {
      if (signal.aborted) {
        throw new ServiceUnavailableError('stopped', l10n.t('the Forklens service was stopped'), {
          cause: error,
        });
      }
      const message = error instanceof Error ? error.message : String(error);
      this.#options.log.error(message);
      this.#setState({ kind: 'failed', message });
      throw new ServiceUnavailableError('failed', message, { cause: error });
    }
  }

  #onGone(endpoint: Endpoint, how: string): void {
    if (this.#endpoint !== endpoint) return;
    this.#endpoint = undefined;
    this.#options.log.warn(`the service is gone: ${how}`);
    // Another window's service ends with its window. That is no crash, so start one without delay.
    const restart =
      endpoint.ownership === 'attached' ? { attempt: 0, delayMs: 0 } : this.#restarts.afterCrash();
    if (restart === undefined) {
      const message = l10n.t('the service keeps ending; the last time it {0}', how);
      this.#options.log.error(message);
      this.#setState({ kind: 'failed', message });
      return;
    }
    this.#open(restart).catch(() => undefined); // the state reports the error
  }

  async #close(): Promise<void> {
    const endpoint = this.#endpoint;
    const opening = this.#opening;
    this.#endpoint = undefined;
    this.#lifetime.abort();
    if (endpoint !== undefined || opening !== undefined) this.#setState({ kind: 'stopping' });
    await endpoint?.close();
    await opening?.catch(() => undefined);
    if (this.#state.kind !== 'stopped') this.#setState({ kind: 'stopped' });
  }

  #setState(state: ServiceState): void {
    this.#state = state;
    this.#changes.fire(state);
  }
}
