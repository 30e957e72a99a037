import type { Scope } from '../api/account';
import type { AccessKeys } from './access-keys';
import type { User } from './ports';
import type { Users } from './users';

/** As it is registered; the command line registers the same one. */
export const LOCAL_USER = { nickname: 'local', email: 'local@forklens.local' } as const;
const SCOPES: readonly Scope[] = ['manage', 'analyze'];

/** Whether it is the user of the machine that the service runs on: what he may read, the service may read for him. */
export const isLocalUser = ({ email }: Pick<User, 'email'>): boolean => email === LOCAL_USER.email;

/** The one user of a service on a developer's own machine, registered on first need. */
export class LocalUser {
  readonly #users: Users;
  readonly #keys: AccessKeys;
  #registration: Promise<User> | undefined;

  constructor(users: Users, keys: AccessKeys) {
    this.#users = users;
    this.#keys = keys;
  }

  /** A fresh key with all scopes; older ones of the same label are revoked. */
  async issueKey(label: string): Promise<string> {
    const user = await this.#ensure();
    const issued = await this.#keys.replace(user.userId, SCOPES, label);
    return issued.key;
  }

  /** Whether the key is a live one of the local user, with all scopes. */
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
    return (await this.#users.findByEmail(email)) ?? this.#users.register(nickname, email);
  }
}
