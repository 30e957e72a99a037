import * as l10n from '@vscode/l10n';
import type { Account } from '../server/api/account';
import { createApiClient } from '../server/api/client';
import { ApiError } from '../server/api/errors';
import { Emitter, type Disposable } from './emitter';
import type { Log } from './log';
import type { Secrets } from './secrets';
import type { Service, ServiceConnection } from './server-process/service';

export type SessionState =
  { kind: 'unknown' } | { kind: 'signedOut' } | { kind: 'signedIn'; account: Account };

/** How long a window waits for the one that owns the service to store its key. */
const SHARED_KEY_TIMEOUT_MS = 5_000;

/** Who the user is at the service in use. Keys are verified before they are stored. */
export class Session {
  readonly #secrets: Secrets;
  readonly #log: Log;
  readonly #sharedKeyTimeoutMs: number;
  readonly #changes = new Emitter<SessionState>();
  readonly onDidChange = this.#changes.event;
  readonly #subscriptions: Disposable[];
  #state: SessionState = { kind: 'unknown' };
  #serviceId: string;
  /** The verified key; one promise for all who ask at once. */
  #key: Promise<string> | undefined;

  constructor(
    service: Pick<Service, 'id' | 'onDidChangeState'>,
    secrets: Secrets,
    log: Log,
    sharedKeyTimeoutMs = SHARED_KEY_TIMEOUT_MS,
  ) {
    this.#secrets = secrets;
    this.#log = log;
    this.#sharedKeyTimeoutMs = sharedKeyTimeoutMs;
    this.#serviceId = service.id;
    this.#subscriptions = [
      secrets.onDidChange((serviceId) => {
        if (serviceId === this.#serviceId) void this.#follow();
      }),
      service.onDidChangeState(() => {
        if (service.id === this.#serviceId) return;
        this.#serviceId = service.id;
        this.#forget({ kind: 'unknown' });
      }),
    ];
  }

  get state(): SessionState {
    return this.#state;
  }

  /**
   * The access key for a connection: the stored one, else a fresh one where the service is ours to ask.
   * @throws ApiError `keyMissing` when signed out, or the service's own error
   */
  async accessKey(connection: ServiceConnection): Promise<string> {
    this.#key ??= this.#obtain(connection);
    const key = this.#key;
    try {
      return await key;
    } catch (error) {
      if (this.#key === key) this.#key = undefined;
      throw error;
    }
  }

  /** The service refused the key: forget it, and get another one where that takes no user. */
  async renew(connection: ServiceConnection, refused: string): Promise<string | undefined> {
    const current = this.#key;
    if ((await current?.catch(() => undefined)) === refused && this.#key === current) {
      this.#key = undefined;
    }
    if (connection.issueAccessKey === undefined) {
      this.#forget({ kind: 'signedOut' });
      return undefined;
    }
    this.#key ??= this.#issue(connection, connection.issueAccessKey);
    return this.#key;
  }

  /**
   * Signs in with a key that the user gave; until it is verified, nothing changes.
   * @throws ApiError `keyUnknown` where the service refuses it
   */
  async signIn(connection: ServiceConnection, accessKey: string): Promise<Account> {
    const serviceId = this.#serviceId;
    const account = await this.#verify(connection, accessKey);
    this.#key = Promise.resolve(accessKey);
    await this.#secrets.write(serviceId, { accessKey });
    this.#setState({ kind: 'signedIn', account });
    return account;
  }

  async signOut(): Promise<void> {
    this.#forget({ kind: 'signedOut' });
    await this.#secrets.write(this.#serviceId, { signedOut: true });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #obtain(connection: ServiceConnection): Promise<string> {
    const serviceId = this.#serviceId;
    const { issueAccessKey } = connection;
    let credential = await this.#secrets.read(serviceId);
    if (credential === undefined && issueAccessKey !== undefined) {
      return this.#issue(connection, issueAccessKey);
    }
    // The window that owns the service stores its key at about the time when this one attaches.
    if (credential === undefined && serviceId.startsWith('bundled:')) {
      await this.#credentialStored(serviceId);
      credential = await this.#secrets.read(serviceId);
    }
    if (credential === undefined || 'signedOut' in credential) {
      this.#forget({ kind: 'signedOut' });
      throw new ApiError('keyMissing', l10n.t('you are not signed in to Forklens'));
    }
    try {
      const account = await this.#verify(connection, credential.accessKey);
      this.#setState({ kind: 'signedIn', account });
      return credential.accessKey;
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'keyUnknown')) throw error;
      // A data directory that was emptied or exchanged knows no old key.
      if (issueAccessKey !== undefined) return this.#issue(connection, issueAccessKey);
      this.#forget({ kind: 'signedOut' });
      throw error;
    }
  }

  async #issue(connection: ServiceConnection, issue: () => Promise<string>): Promise<string> {
    const serviceId = this.#serviceId;
    const accessKey = await issue();
    const account = await this.#verify(connection, accessKey);
    await this.#secrets.write(serviceId, { accessKey });
    this.#setState({ kind: 'signedIn', account });
    return accessKey;
  }

  async #verify(connection: ServiceConnection, accessKey: string): Promise<Account> {
    const client = createApiClient(() => Promise.resolve({ baseUrl: connection.url, accessKey }));
    const account = await client.call('getAccount', {});
    this.#log.debug(`access key verified: ${account.nickname}`);
    return account;
  }

  /** Another window, or this one, changed the credential. */
  async #follow(): Promise<void> {
    const credential = await this.#secrets.read(this.#serviceId);
    if (credential === undefined || 'signedOut' in credential) {
      if (this.#state.kind !== 'signedOut') this.#forget({ kind: 'signedOut' });
      return;
    }
    const current = await this.#key?.catch(() => undefined);
    if (current !== credential.accessKey) this.#forget({ kind: 'unknown' });
  }

  #credentialStored(stored: string): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      };
      const timer = setTimeout(done, this.#sharedKeyTimeoutMs);
      const subscription = this.#secrets.onDidChange((serviceId) => {
        if (serviceId === stored) done();
      });
    });
  }

  #forget(state: SessionState): void {
    this.#key = undefined;
    this.#setState(state);
  }

  #setState(state: SessionState): void {
    this.#state = state;
    this.#changes.fire(state);
  }
}
