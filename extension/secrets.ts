import * as z from 'zod';
import { Emitter, type Disposable } from './emitter';

/** The part of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  readonly onDidChange: (listener: (event: { key: string }) => void) => Disposable;
}

/** `signedOut` is remembered, so that the bundled service's key is not fetched again behind the user's back. */
const credentialSchema = z.union([
  z.object({ accessKey: z.string().min(1) }),
  z.object({ signedOut: z.literal(true) }),
]);
export type Credential = z.infer<typeof credentialSchema>;

const PREFIX = 'forklens.credential:';

/** The only reader and writer of access keys. One credential per service; the windows of an editor share them. */
export class Secrets {
  readonly #store: SecretStore;
  readonly #changes = new Emitter<string>();
  readonly #subscription: Disposable;
  /** Fires with the id of the service whose credential changed, in whichever window. */
  readonly onDidChange = this.#changes.event;

  constructor(store: SecretStore) {
    this.#store = store;
    this.#subscription = store.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changes.fire(key.slice(PREFIX.length));
    });
  }

  /** undefined where nobody has signed in or out yet, or where the entry is not one of ours. */
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
