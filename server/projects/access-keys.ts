import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../api/account';
import { ApiError, shown } from '../api/errors';
import type { AccessKey, AccessKeyStore, Clock, User, UserStore } from './ports';

/** The calling user, and the access key of the call. */
export interface Caller {
  user: User;
  key: AccessKey;
}

/** A new access key. Its text is available only at this moment. */
export interface IssuedKey extends Omit<AccessKey, 'hash'> {
  /** `fl_`, 12 hex digits that identify the key, 40 secret hex digits. */
  key: string;
}

const KEY_PATTERN = /^fl_([0-9a-f]{12})[0-9a-f]{40}$/;

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/**
 * Issues, checks and revokes access keys. A key contains its id in its first digits, so a check reads one record and compares one hash, in
 * constant time. SHA-256 is sufficient: 160 random bits cannot be guessed through a fast hash.
 */
export class AccessKeys {
  readonly #store: AccessKeyStore & UserStore;
  readonly #clock: Clock;

  constructor(store: AccessKeyStore & UserStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async issue(userId: string, scopes: readonly Scope[], label: string): Promise<IssuedKey> {
    const name = randomBytes(6).toString('hex');
    const key = `fl_${name}${randomBytes(20).toString('hex')}`;
    const facts = {
      keyId: `key_${name}`,
      userId,
      label,
      scopes: [...new Set(scopes)],
      createTime: this.#clock().toISOString(),
    };
    await this.#store.insertKey({ ...facts, hash: digest(key).toString('hex') });
    return { ...facts, key };
  }

  /** @throws ApiError `keyMissing`, `keyUnknown` */
  async authenticate(key: string | undefined): Promise<Caller> {
    if (!key) throw new ApiError('keyMissing', 'the header Access-Key is missing');
    const name = KEY_PATTERN.exec(key)?.[1];
    const record = name === undefined ? undefined : await this.#store.findKey(`key_${name}`);
    if (record && timingSafeEqual(Buffer.from(record.hash, 'hex'), digest(key))) {
      const user = await this.#store.findUser(record.userId);
      if (user) return { user, key: record };
    }
    throw new ApiError('keyUnknown', 'the access key in the header Access-Key is unknown');
  }

  async list(userId?: string): Promise<AccessKey[]> {
    const keys = await this.#store.listKeys();
    return keys.filter((key) => userId === undefined || key.userId === userId);
  }

  /** @throws ApiError `keyNotFound` */
  async revoke(keyId: string): Promise<void> {
    if (!(await this.#store.deleteKey(keyId))) {
      throw new ApiError('keyNotFound', `access key ${shown(keyId)} does not exist`);
    }
  }

  /** Issues a key and revokes the user's other keys with this label, so that the label has one valid key. */
  async replace(userId: string, scopes: readonly Scope[], label: string): Promise<IssuedKey> {
    const old = (await this.list(userId)).filter((key) => key.label === label);
    const issued = await this.issue(userId, scopes, label);
    await Promise.all(old.map((key) => this.#store.deleteKey(key.keyId)));
    return issued;
  }
}
