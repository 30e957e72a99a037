import * as l10n from '@vscode/l10n';
import type { Account } from '../../server/api/account';
import { createApiClient } from '../../server/api/client';
import { ApiError } from '../../server/api/errors';
import { Emitter, type Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { Secrets } from '../editor/secrets';
import { isKeyRefusal } from '../model/errors';
import type { Service, ServiceConnection } from '../model/service';

export type SessionState =
  { kind: 'unknown' } | { kind: 'signedOut' } | { kind: 'signedIn'; account: Account };

/** How long a window waits for the service's owner window to store its key. */
const SHARED_KEY_TIMEOUT_MS = 5_000;

/** The user's account and key at the service in use. Keys are verified before they are stored. */
export class Session {
  readonly #secrets: Secrets;
  readonly #log: Log;
  readonly #sharedKeyTimeoutMs: number;
  readonly #changes = new Emitter<SessionState>();
  readonly onDidChange = this.#changes.event;
  readonly #subscriptions: Disposable[];
  #state: SessionState = { kind: 'unknown' };
  #serviceId: string;
  /** The verified key; concurrent callers share one promise. */
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
   * The access key for a connection: the stored one, otherwise a new one if this window owns the service.
   * @throws ApiError `keyMissing` when signed out, or the service's own error
   */
  async accessKey(connection: ServiceConnection): Promise<string> {
    this.#key ??= this.#obtainKey(connection);
    const key = this.#key;
    try {
      return await key;
    } catch (error) {
      if (this.#key === key) this.#key = undefined;
      throw error;
    }
  }

  /** Call after the service refused the key. Discards it, and issues another one if this window owns the service. */
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
   * Signs in with a key that the user entered. Nothing changes until the key is verified.
   * @throws ApiError `keyUnknown` or `keyExpired` if the service refuses it
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

  async #obtainKey(connection: ServiceConnection): Promise<string> {
    const serviceId = this.#serviceId;
    const { issueAccessKey } = connection;
    let credential = await this.#secrets.read(serviceId);
    if (credential === undefined && issueAccessKey !== undefined) {
      return this.#issue(connection, issueAccessKey);
    }
    // The owner window of the service stores its key at about the time when this window attaches.
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
      if (!isKeyRefusal(error)) throw error;
      // The data directory was emptied or replaced, so its service rejects old keys.
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

  /** The credential changed in this or another window. */
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
