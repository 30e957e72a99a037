import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CreateKeyBody } from '../api/access-keys';
import type { Scope } from '../api/account';
import { ApiError, shown } from '../api/errors';
import { LIMITS } from '../api/limits';
import { KeyUses } from './key-uses';
import type { AccessKey, AccessKeyStore, Clock, FoundKey, User, UserStore } from './ports';

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

const DAY_MS = 86_400_000;
const KEY_PATTERN = /^fl_([0-9a-f]{12})[0-9a-f]{40}$/;

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/**
 * Issues, checks and revokes access keys. A key contains its id in its first digits, so a check reads one record and compares one hash, in
 * constant time. SHA-256 is sufficient: 160 random bits cannot be guessed through a fast hash.
 */
export class AccessKeys {
  readonly #store: AccessKeyStore;
  readonly #users: Pick<UserStore, 'findUser'>;
  readonly #clock: Clock;
  readonly #uses: KeyUses;

  constructor(store: AccessKeyStore, users: Pick<UserStore, 'findUser'>, clock: Clock) {
    this.#store = store;
    this.#users = users;
    this.#clock = clock;
    this.#uses = new KeyUses(store, clock);
  }

  async issue(
    userId: string,
    scopes: readonly Scope[],
    label: string,
    { expiresAt, limit }: { expiresAt?: string | undefined; limit?: number } = {},
  ): Promise<IssuedKey> {
    const { record, key } = this.#newKey({ userId, scopes, label, expiresAt });
    if (!(await this.#store.insertKey(record, limit))) {
      throw new ApiError(
        'keyLimit',
        `you have ${limit} valid access keys, which is the limit; revoke one first`,
      );
    }
    return issued(record, key);
  }

  /** Issues a key at the request of an administrator. */
  issueFor(userId: string, { name, scopes, expiresInDays }: CreateKeyBody): Promise<IssuedKey> {
    const expiresAt = expiresInDays && this.#in(expiresInDays * DAY_MS);
    return this.issue(userId, scopes, name, expiresAt ? { expiresAt } : {});
  }

  /**
   * Issues a key at the request of a user, who cannot get more by it than by the key of the request: neither scopes nor time.
   * @throws ApiError `scopeMissing`, `keyLimit`
   */
  async issueBy(
    { user, key: own }: Caller,
    { name, scopes, expiresInDays }: CreateKeyBody,
  ): Promise<IssuedKey> {
    requireScopes(own, scopes);
    const wanted = expiresInDays === undefined ? [] : [this.#in(expiresInDays * DAY_MS)];
    const [expiresAt] = [...wanted, ...(own.expiresAt === undefined ? [] : [own.expiresAt])].sort();
    return this.issue(user.userId, scopes, name, { expiresAt, limit: LIMITS.keysPerUser });
  }

  /** @throws ApiError `keyMissing`, `keyUnknown`, `keyExpired` */
  async authenticate(key: string | undefined): Promise<Caller> {
    if (!key) throw new ApiError('keyMissing', 'the header Access-Key is missing');
    const name = KEY_PATTERN.exec(key)?.[1];
    const record = name === undefined ? undefined : await this.#store.findKey(`key_${name}`);
    if (record && timingSafeEqual(Buffer.from(record.hash, 'hex'), digest(key))) {
      if (record.isExpired) {
        throw new ApiError(
          'keyExpired',
          `the access key in the header Access-Key expired at ${record.expiresAt}`,
        );
      }
      const user = await this.#users.findUser(record.userId);
      if (user) {
        this.#uses.note(record);
        return { user, key: record };
      }
    }
    throw new ApiError('keyUnknown', 'the access key in the header Access-Key is unknown');
  }

  async list(userId?: string): Promise<FoundKey[]> {
    const keys = await this.#store.listKeys();
    return keys.filter((key) => userId === undefined || key.userId === userId);
  }

  /** @throws ApiError `keyNotFound` */
  async revoke(keyId: string): Promise<void> {
    if (!(await this.#store.deleteKey(keyId))) throw keyNotFound(keyId);
  }

  /** @throws ApiError `keyNotFound`, also for a key of another user */
  async revokeBy({ user }: Caller, keyId: string): Promise<void> {
    await this.#findOf(user.userId, keyId);
    await this.revoke(keyId);
  }

  /**
   * Replaces a key by one with the same scopes, label and lifetime. The old one stays valid for some time.
   * @param overlapSeconds of the old key, at most until its own expiry
   * @throws ApiError `keyNotFound`, `keyExpired`, `keyReplaced`
   */
  async rotate(keyId: string, overlapSeconds: number): Promise<IssuedKey> {
    const old = await this.#store.findKey(keyId);
    if (!old) throw keyNotFound(keyId);
    if (old.isExpired) throw new ApiError('keyExpired', `access key ${keyId} has expired`);
    const expiresAt =
      old.expiresAt && this.#in(Date.parse(old.expiresAt) - Date.parse(old.createTime));
    const { record, key } = this.#newKey({ ...old, expiresAt });
    // A key that was replaced must not prolong its life by another rotation.
    if (!(await this.#store.replaceKey(keyId, this.#in(overlapSeconds * 1000), record))) {
      throw new ApiError('keyReplaced', `access key ${keyId} was rotated before, or is gone`);
    }
    return issued(record, key);
  }

  /**
   * As `rotate`, at the request of a user: a key can rotate itself, and one with the scope `manage` others whose scopes it has.
   * @throws ApiError `scopeMissing`, too
   */
  async rotateBy(caller: Caller, keyId: string, overlapSeconds: number): Promise<IssuedKey> {
    if (keyId !== caller.key.keyId) {
      requireScopes(caller.key, ['manage']);
      requireScopes(caller.key, (await this.#findOf(caller.user.userId, keyId)).scopes);
    }
    return this.rotate(keyId, overlapSeconds);
  }

  /** Issues a key and revokes the user's other keys with this label, so that the label has one valid key. */
  async replace(userId: string, scopes: readonly Scope[], label: string): Promise<IssuedKey> {
    const old = (await this.list(userId)).filter((key) => key.label === label);
    const issued = await this.issue(userId, scopes, label);
    await Promise.all(old.map((key) => this.#store.deleteKey(key.keyId)));
    return issued;
  }

  /** Settles when the last uses of all keys are stored. */
  settled(): Promise<void> {
    return this.#uses.settled();
  }

  async #findOf(userId: string, keyId: string): Promise<FoundKey> {
    const key = await this.#store.findKey(keyId);
    if (key?.userId !== userId) throw keyNotFound(keyId);
    return key;
  }

  #newKey({ userId, label, scopes, expiresAt }: KeyFacts): { record: AccessKey; key: string } {
    const name = randomBytes(6).toString('hex');
    const key = `fl_${name}${randomBytes(20).toString('hex')}`;
    const record = {
      keyId: `key_${name}`,
      userId,
      label,
      scopes: [...new Set(scopes)],
      hash: digest(key).toString('hex'),
      createTime: this.#clock().toISOString(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    return { record, key };
  }

  /** The time in some milliseconds from now, RFC 3339. */
  #in(ms: number): string {
    return new Date(this.#clock().getTime() + ms).toISOString();
  }
}

interface KeyFacts extends Pick<AccessKey, 'userId' | 'label' | 'expiresAt'> {
  scopes: readonly Scope[];
}

function issued(record: AccessKey, key: string): IssuedKey {
  const facts: Partial<AccessKey> = { ...record };
  delete facts.hash;
  return { ...(facts as Omit<AccessKey, 'hash'>), key };
}

const keyNotFound = (keyId: string): ApiError =>
  new ApiError('keyNotFound', `access key ${shown(keyId)} does not exist`);

/** @throws ApiError `scopeMissing` */
export function requireScopes({ scopes }: AccessKey, needed: readonly Scope[]): void {
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return;
  throw new ApiError(
    'scopeMissing',
    `the access key has the scope ${scopes.join(', ')}; this operation needs ${missing}`,
  );
}
