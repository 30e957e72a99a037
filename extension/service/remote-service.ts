import * as l10n from '@vscode/l10n';
import { Emitter } from '../editor/emitter';
import { ServiceUnavailableError } from '../model/errors';
import type { Log } from '../editor/log';
import type { Service, ServiceConnection, ServiceState } from '../model/service';
import { fetchHealth } from './service-record';

/** A team's service at the URL of the settings. Starting and stopping affects only the connection. */
export class RemoteService implements Service {
  readonly id: string;
  readonly #url: string | undefined;
  readonly #log: Log;
  readonly #changes = new Emitter<ServiceState>();
  readonly onDidChangeState = this.#changes.event;
  #state: ServiceState;
  #opening: Promise<ServiceConnection> | undefined;
  #disconnected = false;

  /** @param setting the URL as the user wrote it */
  constructor(setting: string, log: Log) {
    this.#url = normalizeUrl(setting);
    this.#log = log;
    this.id = `remote:${this.#url ?? ''}`;
    this.#state =
      this.#url === undefined
        ? { kind: 'notConfigured', message: notConfigured(setting) }
        : { kind: 'stopped' };
  }

  get state(): ServiceState {
    return this.#state;
  }

  async connect(): Promise<ServiceConnection> {
    if (this.#state.kind === 'running') return { url: this.#state.url, issueAccessKey: undefined };
    if (this.#state.kind === 'failed') {
      throw new ServiceUnavailableError('unreachable', this.#state.message);
    }
    if (this.#disconnected) {
      throw new ServiceUnavailableError(
        'stopped',
        l10n.t('this window is disconnected from the service'),
      );
    }
    return this.start();
  }

  async start(): Promise<ServiceConnection> {
    if (this.#state.kind === 'notConfigured') {
      throw new ServiceUnavailableError('notConfigured', this.#state.message);
    }
    this.#disconnected = false;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  stop(): Promise<void> {
    this.#disconnected = true;
    if (this.#url !== undefined) this.#setState({ kind: 'stopped' });
    return Promise.resolve();
  }

  async restart(): Promise<ServiceConnection> {
    await this.stop();
    return this.start();
  }

  async check(): Promise<void> {
    if (this.#state.kind === 'running') await this.start().catch(() => undefined);
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  async #open(): Promise<ServiceConnection> {
    const url = this.#url ?? '';
    if (this.#state.kind !== 'running') this.#setState({ kind: 'starting', attempt: 0 });
    try {
      await fetchHealth(url);
    } catch (error) {
      const message = l10n.t(
        'no Forklens service answers at {0}; check forklens.service.url and the network',
        url,
      );
      this.#log.error(message);
      this.#setState({ kind: 'failed', message });
      throw new ServiceUnavailableError('unreachable', message, { cause: error });
    }
    this.#setState({ kind: 'running', url, ownership: 'remote' });
    return { url, issueAccessKey: undefined };
  }

  #setState(state: ServiceState): void {
    this.#state = state;
    this.#changes.fire(state);
  }
}

/** Base URL without a trailing slash, query or credentials; undefined if the text is not an http(s) URL. */
export function normalizeUrl(text: string): string | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function notConfigured(setting: string): string {
  return setting.trim() === ''
    ? l10n.t(
        'no remote service is set; accepted for forklens.service.url: an http:// or https:// URL',
      )
    : `forklens.service.url is ${JSON.stringify(setting)}; accepted: an http:// or https:// URL`;
}
