import * as z from 'zod';
import { Emitter, type Disposable } from './emitter';

/** The subset of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  readonly onDidChange: (listener: (event: { key: string }) => void) => Disposable;
}

/** `signedOut` is stored so that no new key of the bundled service is issued without the user's consent. */
const credentialSchema = z.union([
  z.object({ accessKey: z.string().min(1) }),
  z.object({ signedOut: z.literal(true) }),
]);
export type Credential = z.infer<typeof credentialSchema>;

const PREFIX = 'forklens.credential:';

/** Reads and writes access keys; no other module does. Each service has one credential, which all windows of an editor share. */
export class Secrets {
  readonly #store: SecretStore;
  readonly #changes = new Emitter<string>();
  readonly #subscription: Disposable;
  /** Fires with the id of the service whose credential changed in any window. */
  readonly onDidChange = this.#changes.event;

  constructor(store: SecretStore) {
    this.#store = store;
    this.#subscription = store.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changes.fire(key.slice(PREFIX.length));
    });
  }

  /** undefined if the user has neither signed in nor out yet, or if the entry is invalid. */
  async read(serviceId: string): Promise<Credential | undefined> {
    const text = await this.#store.get(PREFIX + serviceId);
    if (text === undefined) return undefined;
    try {
      return credentialSchema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  async write(serviceId: string, credential: Credential): Promise<void> {
    await this.#store.store(PREFIX + serviceId, JSON.stringify(credential));
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
