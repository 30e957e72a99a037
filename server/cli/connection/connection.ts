import { once } from 'node:events';
import { watch } from 'node:fs';
import { createApiClient, type ApiClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { timeoutSignal } from '../../api/timeout-signal';
import { readServiceRecord } from '../../client/service-record';
import type { Globals } from '../command-specs/global-options';
import { httpFetch } from './http-fetch';
import { NoServiceError } from '../errors/no-service-error';
import { OwnService } from './own-service';
import { Profiles } from './profiles';
import { findRunningService, localUserKey } from './running-service';
import { issueTemporaryKey, type TemporaryKey } from './temporary-key';
import { usesSandbox } from './uses-sandbox';

/** Time limit for one process to finish its start or stop. */
const TIMEOUT_MS = 10_000;
const NEXT_LOOK_MS = 500;
/** Number of attempts to send a request to a service that refuses the connection. */
const ATTEMPTS = 3;

/** Options that determine the service of a command. */
export interface ConnectionOptions extends Pick<
  Globals,
  'url' | 'accessKey' | 'profile' | 'config' | 'sandbox'
> {
  /** Absolute. */
  dataDir: string;
  /** Whether the data directory was given explicitly. If so, the profile in use is ignored. */
  isDataDirGiven: boolean;
  /**
   * Looks for the service at each request. If the service stops, starts none in its place: its owner restarts it. For commands that run as
   * long as another program.
   */
  isLongLived?: boolean;
  profiles?: Profiles;
  /** Reports steps that take long. */
  onStatus?: (text: string) => void;
}

/** The destination of requests. */
export interface Target {
  baseUrl: string;
  accessKey: string | undefined;
  /** Source of the address. */
  origin: 'option' | 'profile' | 'data directory' | 'own service';
}

/**
 * The service of one command: the one of `--url`, of a profile, the running one on the data directory, or one that is started for the
 * duration of the command. Resolved at the first request. Never uses the service of another data directory.
 */
export class Connection {
  readonly client: ApiClient;
  #target: Promise<Target> | undefined;
  /** Address of the service on the data directory that answered earlier. */
  #lastUrl: string | undefined;
  #own: OwnService | undefined;
  #key: TemporaryKey | undefined;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly signal: AbortSignal,
  ) {
    const client = createApiClient(() => this.target(), httpFetch);
    this.client = {
      call: async (id, request, callOptions) => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await client.call(id, request, { signal, ...callOptions });
          } catch (error) {
            if (attempt >= ATTEMPTS || !(await this.#isGone(error))) throw error;
          }
        }
      },
    };
  }

  /** @throws UsageError, NoServiceError, AbortError, ApiError */
  async target(): Promise<Target> {
    const known = await this.#target;
    if (this.options.isLongLived === true && known?.origin === 'data directory') {
      this.#lastUrl = known.baseUrl;
      this.#target = undefined;
    }
    this.#target ??= this.#find();
    return this.#target;
  }

  /** Whether the command uses the data directory's service, whose administration is open to this user. */
  async isOfDataDirectory(): Promise<boolean> {
    return this.options.url === undefined && (await this.#profileName()) === undefined;
  }

  /** Stops the service that was started for this command, and revokes the key that was issued for it. */
  async close(): Promise<void> {
    await this.#key?.revoke();
    await this.#own?.stop();
    this.#key = this.#own = this.#target = undefined;
  }

  async #find(): Promise<Target> {
    const { url, accessKey } = this.options;
    if (url !== undefined) {
      return { baseUrl: url, accessKey: accessKey ?? (await this.#keyFor(url)), origin: 'option' };
    }
    const name = await this.#profileName();
    if (name !== undefined) {
      const profile = await this.#profiles.get(name);
      const key = accessKey ?? profile.accessKey;
      return { baseUrl: profile.url, accessKey: key, origin: 'profile' };
    }
    return this.#findLocal();
  }

  get #profiles(): Profiles {
    return this.options.profiles ?? new Profiles();
  }

  async #profileName(): Promise<string | undefined> {
    const { profile, isDataDirGiven } = this.options;
    if (profile !== undefined) return profile === 'none' ? undefined : profile;
    if (isDataDirGiven) return undefined;
    return (await this.#profiles.read()).current ?? undefined;
  }

  /** Returns a stored key only for the service that it was stored for. */
  async #keyFor(url: string): Promise<string | undefined> {
    const { dataDir } = this.options;
    const running = await findRunningService(dataDir);
    if (running !== undefined && new URL(running.url).origin === new URL(url).origin) {
      return localUserKey(dataDir);
    }
    const { profiles } = await this.#profiles.read();
    return Object.values(profiles).find((profile) => profile.url === url)?.accessKey;
  }

  /** The running service on the data directory, or a new one. */
  async #findLocal(): Promise<Target> {
    const { dataDir, config, accessKey } = this.options;
    let holder: string | undefined;
    let deadline = timeoutSignal(TIMEOUT_MS);
    for (;;) {
      const running = await findRunningService(dataDir);
      if (running !== undefined) {
        const key = accessKey ?? (await localUserKey(dataDir));
        if (key === undefined) this.#key ??= await issueTemporaryKey(running);
        const found = key ?? this.#key?.key;
        return { baseUrl: running.url, accessKey: found, origin: 'data directory' };
      }
      if (this.#lastUrl !== undefined) throw serviceIsGone(this.#lastUrl);
      this.options.onStatus?.('starting a service on the data directory');
      const sandbox = this.options.sandbox || (await usesSandbox(dataDir));
      this.#own = await OwnService.start({ dataDir, config, sandbox }, this.signal);
      if (this.#own !== undefined) {
        const key = accessKey ?? (await localUserKey(dataDir));
        return { baseUrl: this.#own.url, accessKey: key, origin: 'own service' };
      }
      const next = (await readServiceRecord(dataDir))?.instance;
      if (next !== holder) deadline = timeoutSignal(TIMEOUT_MS);
      holder = next;
      await this.#changeIn(dataDir, deadline);
    }
  }

  /** Waits while another process starts or stops on the directory. The next check finds a change that came before the watch. */
  async #changeIn(dataDir: string, deadline: AbortSignal): Promise<void> {
    const watcher = watch(dataDir);
    try {
      const signal = AbortSignal.any([this.signal, deadline, timeoutSignal(NEXT_LOOK_MS)]);
      await once(watcher, 'change', { signal });
    } catch {
      this.signal.throwIfAborted();
    } finally {
      watcher.close();
    }
    // Also after a change: others that wait try to start a service, and change the directory again and again.
    if (!deadline.aborted) return;
    throw new NoServiceError(
      `the data directory ${dataDir} is in use by a process that accepts no requests; run forklens doctor for the details`,
    );
  }

  /**
   * Whether the service that answered earlier has stopped, for example because the command that started it ended. It finished or cancelled
   * its last requests, so this request can be sent again.
   */
  async #isGone(error: unknown): Promise<boolean> {
    const target = await this.#target?.catch(() => undefined);
    const isUnanswered = error instanceof ApiError && error.kind === 'upstreamUnreachable';
    if (target?.origin !== 'data directory' || !isUnanswered || error.cause === undefined) {
      return false;
    }
    const running = await findRunningService(this.options.dataDir);
    if (running?.url === target.baseUrl) return false;
    if (this.options.isLongLived === true) this.#lastUrl = target.baseUrl;
    else this.#key = undefined;
    this.#target = undefined;
    return true;
  }
}

const serviceIsGone = (url: string): ApiError =>
  new ApiError('upstreamUnreachable', `the Forklens service at ${url} does not answer`);
