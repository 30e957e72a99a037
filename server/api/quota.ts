import * as z from 'zod';
import { projectIdSchema } from './primitives';

/** Quotas of one user or project in the config file. A quota that is left out is none. */
export const quotaLimitsSchema = z.strictObject({
  forks: z.int().min(0).optional(),
  runningEngines: z.int().min(1).optional(),
  diskMegabytes: z.number().positive().optional(),
  requestsPerMinute: z.int().min(1).optional(),
  analyses: z.int().min(1).optional(),
});
export type QuotaLimits = z.output<typeof quotaLimitsSchema>;
export type QuotaKind = keyof QuotaLimits;

const use = (what: string) =>
  z
    .object({
      used: z.number().meta({ description: 'What is used now' }),
      limit: z.number().nullable().meta({ description: 'null: no quota' }),
    })
    .meta({ description: what });

export const quotaSchema = z.object({
  forks: use('Forks, those being created included'),
  runningEngines: use('Forks that have an engine now'),
  diskMegabytes: use('Journals of the forks, in MiB, as far as they were read'),
  requestsPerMinute: use('REST requests since the minute began, at the node that answers'),
  analyses: use('Analyses under way, at the node that answers'),
});
export type Quota = z.output<typeof quotaSchema>;

const none = z.object({});

/** The routes of quotas in `ROUTES`. */
export const QUOTA_ROUTES = {
  getQuota: {
    method: 'get',
    paths: ['/v1/account/quota'],
    summary: 'Your quotas, and what is used: by the projects that you own, and by your keys (ours)',
    scope: 'any',
    params: none,
    query: none,
    body: none,
    data: quotaSchema,
    errors: [],
  },
  getProjectQuota: {
    method: 'get',
    paths: ['/v1/project/:project_id/quota'],
    summary: 'The quotas of a project, and what is used (ours)',
    scope: 'manage',
    params: z.object({ project_id: projectIdSchema }),
    query: none,
    body: none,
    data: quotaSchema,
    errors: ['projectNotFound'],
  },
} as const;
