import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { QuotaLimits } from '../../../server/api/quota';
import type { ProjectRecord } from '../../../server/projects/ports';
import { Quotas, type ForkUse } from '../../../server/projects/quotas';

const project = (projectId: string, ownerId: string): ProjectRecord => ({
  projectId,
  ownerId,
  name: projectId,
  createTime: '',
  collaboratorIds: ['ben'],
});
const MIB = 1024 ** 2;

describe('quotas', () => {
  const projects = [project('p', 'ann'), project('q', 'ann'), project('of-ben', 'ben')];
  let uses: Record<string, ForkUse>;
  let now: number;
  beforeEach(() => {
    now = 0;
    uses = {};
    for (const { projectId } of projects) {
      uses[projectId] = { forks: [], runningEngines: 0, diskBytes: 0 };
    }
  });
  const quotas = (limits: { user?: QuotaLimits; project?: QuotaLimits }): Quotas =>
    new Quotas({
      limits: { user: {}, project: {}, ...limits },
      projects: {
        findProject: (id) => Promise.resolve(projects.find(({ projectId }) => projectId === id)),
        listProjectsOf: (id) =>
          Promise.resolve(projects.filter((one) => [one.ownerId, 'ben'].includes(id))),
      },
      now: () => now,
    }).countForks((id) => Promise.resolve(uses[id]!));

  it('count the forks of a project, also those being created', async () => {
    const { creation } = bound(quotas({ project: { forks: 3 } }));
    uses['p']!.forks = ['old'];
    const outcomes = await Promise.allSettled(['1', '2', '3', '4'].map((id) => creation('p', id)));
    const admitted = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(admitted.length, 2);
    await assert.rejects(creation('p', '5'), {
      kind: 'forkQuota',
      message: 'project p has a quota of 3 forks, which is used up; delete a fork first',
      retryAfter: undefined,
    });
    await creation('q', '6');
    await admitted[0]!();
    await creation('p', '7');
  });

  it('count a fork once whose creation ends', async () => {
    const own = quotas({ project: { forks: 3 } });
    const end = await own.creation('p', 'new');
    uses['p']!.forks = ['old', 'new'];
    assert.deepEqual((await own.ofProject('p')).forks, { used: 2, limit: 3 });
    await own.creation('p', 'third');
    await end();
    assert.deepEqual((await own.ofProject('p')).forks, { used: 3, limit: 3 });
    await assert.rejects(own.creation('p', 'fourth'), { kind: 'forkQuota' });
  });

  it('charge the owner for the forks of all own projects, whichever user creates them', async () => {
    const { creation } = bound(quotas({ user: { forks: 3 } }));
    for (const id of ['p', 'q', 'of-ben']) uses[id]!.forks = [`of ${id}`];
    await (
      await creation('of-ben', '1')
    )();
    await creation('p', '2');
    await assert.rejects(creation('q', '3'), {
      kind: 'forkQuota',
      message: 'the user has a quota of 3 forks, which is used up; delete a fork first',
    });
  });

  it('bound running engines, and say when to try again', async () => {
    const own = quotas({ project: { runningEngines: 2 } });
    await own.wake('p', 'first');
    const release = await own.wake('p', 'second');
    await assert.rejects(own.wake('p', 'third'), { kind: 'engineQuota', retryAfter: 5 });
    await own.wake('q', 'of q');
    await release();
    await own.wake('p', 'third');
  });

  it('count a fork once whose engine starts again before the end of the one before is noticed', async () => {
    const own = quotas({ project: { runningEngines: 1 } });
    const release = await own.wake('p', 'fork');
    await own.wake('p', 'fork');
    await release();
    await assert.rejects(own.wake('p', 'other'), { kind: 'engineQuota' });
  });

  it('refuse changes while the disk of a project is full, and notice when it is not', async () => {
    const own = quotas({ project: { diskMegabytes: 1.5 } });
    uses['p']!.diskBytes = 1.5 * MIB - 1;
    await (
      await own.creation('p', 'fork')
    )();
    await own.requireDisk('p', 0);
    uses['p']!.diskBytes++; // by a fork of another node
    now = 5_000;
    const refused = { kind: 'diskQuota' };
    await own.requireDisk('p', 0); // what is known; it is looked at again
    await setImmediate();
    await assert.rejects(own.requireDisk('p', 0), refused);
    await assert.rejects(own.creation('p', 'fork'), refused);
    uses['p']!.diskBytes = 0;
    await assert.rejects(own.requireDisk('p', 0), refused);
    now = 10_000;
    await own.requireDisk('p', 0);
    uses['p']!.diskBytes = 1.5 * MIB;
    await assert.rejects(own.creation('p', 'fork'), refused);
    uses['p']!.diskBytes = 0;
    await (
      await own.creation('p', 'fork')
    )();
    await own.requireDisk('p', 0);
  });

  it('count what own forks take on the disk at once', async () => {
    const own = quotas({ project: { diskMegabytes: 1.5 } });
    uses['p']!.diskBytes = MIB;
    await own.requireDisk('p', 0);
    uses['p']!.diskBytes = 1.5 * MIB - 1;
    await own.requireDisk('p', MIB / 2 - 1);
    uses['p']!.diskBytes++;
    await assert.rejects(own.requireDisk('p', 1), { kind: 'diskQuota' });
  });

  it('go on counting after a look that failed', async () => {
    const own = quotas({ project: { diskMegabytes: 1.5 } });
    uses['p']!.diskBytes = MIB;
    await own.requireDisk('p', 0);
    uses['p'] = Promise.reject(new Error('no database')) as never;
    await assert.rejects(own.requireDisk('p', MIB), /no database/);
    uses['p'] = { forks: ['fork'], runningEngines: 0, diskBytes: 2 * MIB };
    await assert.rejects(own.requireDisk('p', 0), { kind: 'diskQuota' });
  });

  it('refuse nothing because of what was counted twice', async () => {
    const own = quotas({ project: { diskMegabytes: 1.5 } });
    uses['p']!.diskBytes = MIB; // with what is reported next
    await own.requireDisk('p', 0);
    await own.requireDisk('p', MIB);
  });

  it('count the requests of a user and a project in each minute', async () => {
    const own = quotas({ user: { requestsPerMinute: 3 }, project: { requestsPerMinute: 2 } });
    await own.request('ann', 'p');
    now = 15_000;
    await own.request('ben', 'p');
    await assert.rejects(own.request('ann', 'p'), { kind: 'requestQuota', retryAfter: 45 });
    await own.request('ann', undefined);
    await own.request('ann', 'q');
    await assert.rejects(own.request('ann', undefined), {
      kind: 'requestQuota',
      message: 'the user has a quota of 3 requests a minute, which is used up; try again later',
    });
    now = 60_000;
    await own.request('ann', 'p');
  });

  it('bound analyses at a time', async () => {
    const own = quotas({ user: { analyses: 2 }, project: { analyses: 1 } });
    const first = await own.analysis('ann', 'p');
    await assert.rejects(own.analysis('ben', 'p'), { kind: 'analysisQuota', retryAfter: 1 });
    const second = await own.analysis('ann', undefined);
    await assert.rejects(own.analysis('ann', undefined), { kind: 'analysisQuota' });
    await first();
    await second();
    await own.analysis('ben', 'p');
  });

  it('show what is used, and where there is no quota', async () => {
    const own = quotas({ user: { forks: 5, analyses: 2 } });
    uses['p'] = { forks: ['1', '2'], runningEngines: 1, diskBytes: MIB };
    uses['of-ben'] = { forks: ['of ben'], runningEngines: 9, diskBytes: 9 };
    await own.creation('q', '3');
    await own.analysis('ann', 'p');
    assert.deepEqual(await own.ofUser('ann'), {
      forks: { used: 3, limit: 5 },
      runningEngines: { used: 1, limit: null },
      diskMegabytes: { used: 1, limit: null },
      requestsPerMinute: { used: 0, limit: null },
      analyses: { used: 1, limit: 2 },
    });
    assert.deepEqual((await own.ofProject('p')).forks, { used: 2, limit: null });
  });
});

const bound = (quotas: Quotas) => ({ creation: quotas.creation.bind(quotas) });
