import assert from 'node:assert/strict';
import { LIMITS } from '../../../server/api/limits';
import { ApiError } from '../../../server/api/errors';
import { AuditLog } from '../../../server/projects/audit-log';
import type { AuditRecord, AuditStore } from '../../../server/projects/ports';

describe('the audit log', () => {
  let now: Date;
  let records: AuditRecord[];
  let warnings: string[];
  let dropped: Date | undefined;
  let log: AuditLog;
  beforeEach(() => {
    now = new Date('2026-03-01T00:00:00Z');
    [records, warnings, dropped] = [[], [], undefined];
    const store: AuditStore = {
      get dropped() {
        return dropped;
      },
      append: (record) => Promise.resolve(void records.push(record)),
      list: () => Promise.resolve([]),
    };
    const projects = { findProject: () => Promise.resolve(undefined) };
    const warn = (facts: object, message: string): void => {
      warnings.push(`${message} ${JSON.stringify(facts)}`);
    };
    log = new AuditLog(store, projects, () => now, warn);
  });

  const run = async (userId: string | undefined, isRefused: boolean): Promise<void> => {
    const action = { action: 'createFork', actor: userId ?? 'administrator', address: 'local' };
    const own = { ...action, ...(userId !== undefined && { userId }) };
    await log
      .around(own, () =>
        isRefused ? Promise.reject(new ApiError('roleMissing', 'no')) : Promise.resolve(),
      )
      .catch(() => undefined);
  };
  const count = (actor: string): number => records.filter((one) => one.actor === actor).length;

  it('has a bound of its own for the refused requests of each user', async () => {
    for (let index = 0; index < 1_000; index++) await run('eve', true);
    assert.equal(count('eve'), LIMITS.auditedRefusals);
    assert.deepEqual(warnings, [
      'further refused requests of a user are left out of the audit log for an hour {"userId":"eve","limit":200}',
    ]);
    await run('eve', false);
    await run('ann', true);
    await run(undefined, true);
    assert.deepEqual([count('eve'), count('ann'), count('administrator')], [201, 1, 1]);
    now = new Date(now.getTime() + 3_600_000);
    await run('eve', true);
    assert.equal(count('eve'), 202);
  });

  it('warns when young entries are removed, and not of old ones', async () => {
    dropped = new Date('2026-01-30T00:00:00Z');
    await run('ann', false);
    assert.equal(log.youngDropped, undefined);
    dropped = new Date('2026-02-28T00:00:00Z');
    await run('ann', false);
    await run('ann', false);
    assert.deepEqual(log.youngDropped, dropped);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /less than 30 days old were removed .*2026-02-28T00:00:00\.000Z/);
  });
});
