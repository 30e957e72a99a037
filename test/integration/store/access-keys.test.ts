import assert from 'node:assert/strict';
import type { Storage } from '../../../server/composition/storage';
import { describeStorages } from '../../support/storages';

const key = (id: string, minute = 0) => ({
  keyId: id,
  userId: 'ann',
  label: 'ci',
  scopes: ['manage' as const, 'analyze' as const],
  hash: 'a'.repeat(64),
  createTime: `2026-03-01T12:0${minute}:00.000Z`,
});

describeStorages('access keys', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
  });

  it('keeps expiry and last use of keys, and expires them by its own clock', async () => {
    const { keys } = storage;
    const past = { ...key('key_past'), expiresAt: new Date(Date.now() - 1_000).toISOString() };
    const next = { ...key('key_next', 1), expiresAt: '2999-01-01T00:00:00.000Z' };
    for (const one of [past, next]) assert.equal(await keys.insertKey(one, 2), true);
    assert.equal(await keys.insertKey(key('key_2', 2), 2), true, 'an expired key does not count');
    assert.equal(await keys.insertKey(key('key_3'), 2), false);
    await keys.noteKeyUses(
      new Map([
        ['key_next', '2026-03-02T00:00:00.000Z'],
        ['none', past.expiresAt],
      ]),
    );
    await keys.noteKeyUses(new Map([['key_next', '2026-03-01T00:00:00.000Z']]));
    storage = await test.open();
    assert.deepEqual(await storage.keys.findKey('key_past'), { ...past, isExpired: true });
    const lastUsedAt = '2026-03-02T00:00:00.000Z';
    assert.deepEqual(await storage.keys.findKey('key_next'), { ...next, lastUsedAt });
    const listed = await storage.keys.listKeys();
    assert.deepEqual(
      listed.map(({ isExpired }) => isExpired),
      [true, undefined, undefined],
    );
  });

  it('removes keys that expired long ago when the user gets another', async () => {
    await storage.keys.insertKey({ ...key('key_old'), expiresAt: '2026-01-01T00:00:00.000Z' });
    await storage.keys.insertKey({
      ...key('key_his'),
      userId: 'ben',
      expiresAt: '2026-01-01T00:00:00.000Z',
    });
    await storage.keys.insertKey(key('key_new', 1));
    const ids = (await storage.keys.listKeys()).map(({ keyId }) => keyId);
    assert.deepEqual(ids.sort(), ['key_his', 'key_new']);
  });

  it('replaces a key once, which then expires as told or sooner', async () => {
    const { keys } = storage;
    const soon = new Date(Date.now() + 60_000).toISOString();
    const later = '2999-01-01T00:00:00.000Z';
    await keys.insertKey(key('key_a'));
    await keys.insertKey({ ...key('key_b'), expiresAt: soon });
    await keys.insertKey({ ...key('key_c'), expiresAt: '2026-11-01T00:00:00.000Z' });
    const at = await Promise.all(
      ['d', 'e'].map((id) => keys.replaceKey('key_a', later, key(`key_${id}`, 1))),
    );
    assert.deepEqual(at.sort(), [false, true]);
    assert.equal(await keys.replaceKey('key_b', later, key('key_f', 2)), true);
    assert.equal(await keys.replaceKey('key_c', later, key('key_g', 2)), false, 'it has expired');
    assert.equal(await keys.replaceKey('none', later, key('key_h', 2)), false);
    storage = await test.open();
    assert.equal((await storage.keys.findKey('key_a'))?.expiresAt, later);
    const replaced = await storage.keys.findKey('key_b');
    assert.deepEqual([replaced?.expiresAt, replaced?.replacedBy], [soon, 'key_f']);
    assert.equal((await storage.keys.listKeys()).length, 5);
  });
});
