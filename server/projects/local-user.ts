import type { Scope } from '../api/account';
import type { AccessKeys } from './access-keys';
import type { User } from './ports';
import type { Users } from './users';

/** Nickname and e-mail address of the local user; the command line registers the same user. */
export const LOCAL_USER = { nickname: 'local', email: 'local@forklens.local' } as const;
const SCOPES: readonly Scope[] = ['manage', 'analyze'];

/** Whether this is the user of the machine on which the service runs: the service may read files for this user. */
export const isLocalUser = ({ email }: Pick<User, 'email'>): boolean => email === LOCAL_USER.email;

/** The only user of a service on a developer's own machine, registered on first use. */
export class LocalUser {
  readonly #users: Users;
  readonly #keys: AccessKeys;
  #registration: Promise<User> | undefined;

  constructor(users: Users, keys: AccessKeys) {
    this.#users = users;
    this.#keys = keys;
  }

  /** Issues a new key with all scopes; older keys with the same label are revoked. */
  async issueKey(label: string): Promise<string> {
    const user = await this.#ensure();
    const issued = await this.#keys.replace(user.userId, SCOPES, label);
    return issued.key;
  }

  /** Whether the key is a valid key of the local user with all scopes. */
  async accepts(key: string): Promise<boolean> {
    const caller = await this.#keys.authenticate(key).catch(() => undefined);
    return (
      caller !== undefined &&
      isLocalUser(caller.user) &&
      SCOPES.every((scope) => caller.key.scopes.includes(scope))
    );
  }

  #ensure(): Promise<User> {
    this.#registration ??= this.#register().catch((error: unknown) => {
      this.#registration = undefined;
      throw error;
    });
    return this.#registration;
  }

  async #register(): Promise<User> {
    const { nickname, email } = LOCAL_USER;
    const found = await this.#users.findByEmail(email);
    if (found) return found;
    return this.#users.register(nickname, email).catch(async (error: unknown) => {
      // Another node registered the user meanwhile.
      const other = await this.#users.findByEmail(email);
      if (other) return other;
      throw error;
    });
  }
}
