import assert from 'node:assert/strict';
import type { RouteId } from '../../../server/api/routes';
import { Admission } from '../../../server/http/admission';
import { Quotas } from '../../../server/projects/quotas';

/** Operations that execute or trace transactions, read blocks, or ask other services. */
const ANALYSES: readonly RouteId[] = [
  ...(['findActivity', 'decodeData', 'getAddressSource'] as const),
  ...(['getInvocationFlow', 'simulate', 'findInRecording'] as const),
];

describe('the admission of requests', () => {
  const quotas = (): Quotas =>
    new Quotas({
      limits: { user: { analyses: 1, requestsPerMinute: 3 }, project: {} },
      projects: {
        findProject: () => Promise.resolve(undefined),
        listProjectsOf: () => Promise.resolve([]),
      },
      now: () => 0,
    });

  for (const id of ANALYSES) {
    it(`counts ${id} as a request and among the analyses, until it ends`, async () => {
      const own = quotas();
      const admission = new Admission(own);
      const release = await admission.begin(id, 'ann', undefined);
      const { analyses, requestsPerMinute } = await own.ofUser('ann');
      assert.deepEqual([analyses.used, requestsPerMinute.used], [1, 1]);
      await assert.rejects(admission.begin('getInvocationFlow', 'ann', undefined), {
        kind: 'analysisQuota',
      });
      await release();
      await (
        await admission.begin(id, 'ann', undefined)
      )();
      await assert.rejects(admission.begin(id, 'ann', undefined), { kind: 'requestQuota' });
    });
  }
});
