import assert from 'node:assert/strict';
import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../../../server/composition/storage';
import type { AuditRecord } from '../../../server/projects/ports';
import { AuditFiles } from '../../../server/store/audit/audit-files';
import { AuditRows } from '../../../server/team/postgres/audit-rows';
import { Database } from '../../../server/team/postgres/database/database';
import { describeWith } from '../../support/programs';
import { describeStorages, usePostgres } from '../../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const record = (number: number, facts: Partial<AuditRecord> = {}): AuditRecord => ({
  id: number.toString(16).padStart(24, '0'),
  time: '2026-03-01T12:00:00.000Z',
  action: 'createFork',
  actor: 'ann@example.org',
  address: '127.0.0.1',
  code: 0,
  ...facts,
});
const numbers = (records: readonly AuditRecord[]): number[] =>
  records.map(({ id }) => Number.parseInt(id, 16));

describeStorages('the audit log', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
  });

  it('lists whole entries, newest first, by reader, action, project and page', async () => {
    const project = `project_${'a'.repeat(32)}`;
    const all = [
      record(1, { userId: 'ann', action: 'createProject', target: 'a "quoted" \n target' }),
      record(2, { userId: 'ben', ownerId: 'ann', projectId: project }),
      record(3, { userId: 'ben', ownerId: 'ben' }),
      record(4, { action: 'admin.addUser' }),
    ];
    for (const one of all) await storage.audit.append(one);
    storage = await test.open();
    const list = (filter: object) => storage.audit.list({ limit: 9, ...filter });
    assert.deepEqual(await list({}), [...all].reverse());
    assert.deepEqual(numbers(await list({ limit: 2 })), [4, 3]);
    assert.deepEqual(numbers(await list({ limit: 2, before: all[2]!.id })), [2, 1]);
    assert.deepEqual(numbers(await list({ reader: 'ann' })), [2, 1]);
    assert.deepEqual(numbers(await list({ reader: 'ben', action: 'createFork' })), [3, 2]);
    assert.deepEqual(numbers(await list({ project })), [2]);
    assert.equal(await storage.records.isEmpty(), false);
  });
});

describe('the audit log in files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await makeTemporaryDirectory(), 'audit');
  });
  afterEach(() => removeDirectory(join(folder, '..')));

  it('keeps a bounded number of files, which only the owner can read', async () => {
    const files = new AuditFiles(folder, 400);
    for (let number = 1; number <= 60; number++) await files.append(record(number));
    assert.equal((await readdir(folder)).length, 8);
    assert.ok(files.dropped instanceof Date);
    assert.equal((await stat(join(folder, 'audit.jsonl'))).mode & 0o777, 0o600);
    const kept = numbers(await files.list({ limit: 100 }));
    assert.equal(kept[0], 60);
    assert.deepEqual(
      kept,
      kept.map((_, index) => 60 - index),
    );
    assert.ok(kept.length >= 16 && kept.length < 60, String(kept.length));
  });

  it('skips the line that a killed process did not complete', async () => {
    await new AuditFiles(folder).append(record(1));
    await appendFile(join(folder, 'audit.jsonl'), '{"id":"0000');
    const files = new AuditFiles(folder);
    await Promise.all([2, 3].map((number) => files.append(record(number))));
    assert.deepEqual(numbers(await files.list({ limit: 9 })), [3, 2, 1]);
  });
});

describeWith(['initdb'], 'the audit log in a database', () => {
  const cluster = usePostgres();

  it('keeps a bounded number of rows', async () => {
    const url = cluster().urlOf(await cluster().createDatabase());
    const database = await Database.open({ url, maxConnections: 2 });
    try {
      const rows = new AuditRows(database, 5, 10);
      for (let number = 1; number <= 19; number++) await rows.append(record(number));
      const before = numbers(await rows.list({ limit: 100 }));
      assert.deepEqual([before[0], before.at(-1), before.length], [19, 6, 14]);
      await rows.append(record(20));
      assert.ok(rows.dropped instanceof Date);
      assert.deepEqual(numbers(await rows.list({ limit: 100 })), [20, 19, 18, 17, 16]);
    } finally {
      await database.close();
    }
  });
});
