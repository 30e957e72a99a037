import assert from 'node:assert/strict';
import { pino } from 'pino';
import {
  createAccountServices,
  type AccountServices,
} from '../../../server/composition/account-services';
import { openStorage, type Storage } from '../../../server/composition/storage';
import type { Caller } from '../../../server/projects/access-keys';
import type { User } from '../../../server/projects/ports';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T12:00:00.000Z');
const iso = (ms: number): string => new Date(START + ms).toISOString();

describe('access keys', () => {
  let directory: string;
  let storage: Storage;
  let keys: AccountServices['keys'];
  let user: User;
  let now: number;
  let writes: number;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    now = 0;
    writes = 0;
    const clock = (): Date => new Date(START + now);
    const log = pino({ enabled: false });
    storage = await openStorage({ dataDir: directory, database: undefined, clock, log });
    const note = storage.keys.noteKeyUses.bind(storage.keys);
    storage.keys.noteKeyUses = (uses) => {
      writes++;
      return note(uses);
    };
    const services = createAccountServices({
      storage,
      clock,
      projectLimit: 2,
      addressesRenewed: () => Promise.resolve(),
      warn: () => undefined,
      deleteForksOf: () => Promise.resolve(),
    });
    ({ keys } = services);
    user = await services.users.register('Ann', 'ann@example.org');
  });
  afterEach(async () => {
    await storage.close();
    await removeDirectory(directory);
  });

  const callerWith = async (expiresInDays?: number, scopes = ['manage', 'analyze'] as const) => {
    const { key } = await keys.issueFor(user.userId, {
      name: 'own',
      scopes: [...scopes],
      expiresInDays,
    });
    return { key, caller: await keys.authenticate(key) };
  };

  it('expire at the millisecond', async () => {
    const { key } = await callerWith(1);
    now = DAY_MS - 1;
    assert.equal((await keys.authenticate(key)).key.expiresAt, iso(DAY_MS));
    now = DAY_MS;
    await assert.rejects(keys.authenticate(key), {
      kind: 'keyExpired',
      message: `the access key in the header Access-Key expired at ${iso(DAY_MS)}`,
    });
    const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    await assert.rejects(keys.authenticate(wrong), { kind: 'keyUnknown' });
  });

  it('give no more scopes and no more time than they have', async () => {
    const { caller } = await callerWith(10);
    const issue = (
      scopes: readonly ('manage' | 'analyze')[],
      expiresInDays?: number,
      by: Caller = caller,
    ) => keys.issueBy(by, { name: 'ci', scopes: [...scopes], expiresInDays });
    assert.equal((await issue(['analyze'], 3)).expiresAt, iso(3 * DAY_MS));
    assert.equal((await issue(['analyze'], 11)).expiresAt, iso(10 * DAY_MS));
    assert.equal((await issue(['analyze'])).expiresAt, iso(10 * DAY_MS));
    const lasting = await callerWith();
    assert.equal((await issue(['manage'], undefined, lasting.caller)).expiresAt, undefined);
    const partial = await keys.issue(user.userId, ['manage'], 'partial');
    const by = await keys.authenticate(partial.key);
    await assert.rejects(issue(['analyze'], 1, by), { kind: 'scopeMissing' });
  });

  it('rotate without a gap: both are valid, then only the new one, with the same lifetime', async () => {
    const old = await callerWith(10);
    now = 2 * DAY_MS;
    const next = await keys.rotateBy(old.caller, old.caller.key.keyId, 3_600);
    assert.deepEqual(next.scopes, ['manage', 'analyze']);
    assert.equal(next.label, 'own');
    assert.equal(next.expiresAt, iso(12 * DAY_MS));
    const isValid = (key: string) =>
      keys.authenticate(key).then(
        () => true,
        () => false,
      );
    assert.deepEqual([await isValid(old.key), await isValid(next.key)], [true, true]);
    now += 3_599_999;
    assert.deepEqual([await isValid(old.key), await isValid(next.key)], [true, true]);
    now += 1;
    assert.deepEqual([await isValid(old.key), await isValid(next.key)], [false, true]);
  });

  it('cannot be rotated twice, so that an old key cannot outlive its overlap', async () => {
    const { caller } = await callerWith();
    await keys.rotateBy(caller, caller.key.keyId, 60);
    await assert.rejects(keys.rotateBy(caller, caller.key.keyId, 60), { kind: 'keyReplaced' });
    const [stored] = await keys.list(user.userId);
    assert.equal(stored?.expiresAt, iso(60_000));
    now = 60_000;
    await assert.rejects(keys.rotate(caller.key.keyId, 60), { kind: 'keyExpired' });
  });

  it('rotate themselves with any scope, and others only with manage and their scopes', async () => {
    const { caller } = await callerWith();
    const issued = await keys.issue(user.userId, ['analyze'], 'a');
    const analyze = await keys.authenticate(issued.key);
    const byAnalyze = (id: string) => keys.rotateBy(analyze, id, 0);
    await assert.rejects(byAnalyze(caller.key.keyId), { kind: 'scopeMissing' });
    const manage = await keys.authenticate((await keys.issue(user.userId, ['manage'], 'm')).key);
    const byManage = keys.rotateBy(manage, caller.key.keyId, 0);
    await assert.rejects(byManage, { kind: 'scopeMissing' });
    assert.deepEqual((await byAnalyze(issued.keyId)).scopes, ['analyze']);
    await assert.rejects(keys.authenticate(issued.key), { kind: 'keyExpired' });
  });

  it('of another user are unknown', async () => {
    const { caller } = await callerWith();
    const other = await keys.issue('user_other', ['analyze'], 'x');
    await assert.rejects(keys.revokeBy(caller, other.keyId), { kind: 'keyNotFound' });
    await assert.rejects(keys.rotateBy(caller, other.keyId, 0), { kind: 'keyNotFound' });
  });

  it('record their last use to the minute, in one write for many requests', async () => {
    const { key, caller } = await callerWith();
    const other = await callerWith();
    for (let request = 0; request < 50; request++) await keys.authenticate(key);
    await keys.settled();
    await keys.settled();
    assert.equal(writes, 1);
    const lastUses = async () => (await keys.list(user.userId)).map(({ lastUsedAt }) => lastUsedAt);
    assert.deepEqual(await lastUses(), [iso(0), iso(0)]);
    now = 59_999;
    await keys.authenticate(key);
    await keys.settled();
    assert.equal(writes, 1);
    now = 60_000;
    await keys.authenticate(key);
    await keys.settled();
    assert.equal(writes, 2);
    assert.deepEqual(await lastUses(), [iso(60_000), iso(0)]);
    await keys.revoke(other.caller.key.keyId);
    assert.deepEqual(caller.user, user);
  });

  it('keep a use that could not be written for the next attempt', async () => {
    const { key } = await callerWith();
    const { keys: store } = storage;
    const note = store.noteKeyUses.bind(store);
    storage.keys.noteKeyUses = () => Promise.reject(new Error('full'));
    await keys.authenticate(key);
    await assert.rejects(keys.settled(), /full/);
    storage.keys.noteKeyUses = note;
    await keys.settled();
    assert.equal((await keys.list())[0]?.lastUsedAt, iso(0));
  });
});
