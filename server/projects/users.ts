import { ApiError, shown } from '../api/errors';
import { newId } from './ids';
import type { Clock, User, UserStore } from './ports';

/** Registration and look-up of users. */
export class Users {
  readonly #store: UserStore;
  readonly #clock: Clock;

  constructor(store: UserStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Registers a user and creates the project `default`.
   * @throws ApiError `alreadyExists` if the e-mail address is in use
   */
  async register(nickname: string, email: string): Promise<User> {
    const createTime = this.#clock().toISOString();
    const user = { userId: newId('user'), nickname, email, createTime };
    const added = await this.#store.insertUser(user, {
      projectId: newId('project'),
      ownerId: user.userId,
      name: 'default',
      createTime,
      collaboratorIds: [],
    });
    if (!added) {
      throw new ApiError('alreadyExists', `a user with email ${shown(email)} exists already`);
    }
    return user;
  }

  list(): Promise<readonly User[]> {
    return this.#store.listUsers();
  }

  find(userId: string): Promise<User | undefined> {
    return this.#store.findUser(userId);
  }

  findByEmail(email: string): Promise<User | undefined> {
    return this.#store.findUserByEmail(email);
  }

  /** @throws ApiError `userNotFound` */
  async getByEmail(email: string): Promise<User> {
    const user = await this.findByEmail(email);
    if (!user) throw new ApiError('userNotFound', `user ${shown(email)} does not exist`);
    return user;
  }
}
