import * as z from 'zod';
import { pageLimit } from './page-limit';

/** One action of a user or an administrator. It contains ids and addresses, and no secret. */
export const auditEntrySchema = z.object({
  id: z.string().meta({ description: 'Increases with the time' }),
  time: z.string().meta({ format: 'date-time', description: 'When it ended, RFC 3339 in UTC' }),
  action: z
    .string()
    .meta({ description: 'operationId of the request, or admin.<command> of an administrator' }),
  actor: z.string().meta({ description: 'E-mail address of the user, or administrator' }),
  keyId: z.string().optional().meta({ description: 'Of the access key of the request' }),
  address: z.string().meta({ description: 'IP address of the client, or local' }),
  code: z.int().meta({ description: '0, or the code of the error that the request got' }),
  projectId: z.string().optional().meta({ description: 'The project that it concerns' }),
  forkId: z.string().optional().meta({ description: 'The fork that it concerns' }),
  target: z
    .string()
    .optional()
    .meta({ description: 'E-mail address of the user and ids of the keys that it concerns' }),
  role: z.string().optional().meta({ description: 'The role that was given' }),
  requestId: z.string().optional().meta({ description: 'As in X-Request-Id and in the log' }),
});
export type AuditEntry = z.output<typeof auditEntrySchema>;

export const auditQuery = z.object({
  limit: pageLimit('Entries of a page'),
  cursor: z
    .string()
    .regex(/^[0-9a-f]{24}$/, { error: 'nextCursor of the page before' })
    .optional()
    .meta({ description: 'nextCursor of the page before; left out: the first page' }),
  action: z
    .string()
    .regex(/^[A-Za-z.]{1,64}$/, { error: 'an action, such as createFork or admin.addUser' })
    .optional()
    .meta({ description: 'Only this action' }),
  project: z
    .string()
    .regex(/^project_[0-9a-f]{32}$/, { error: 'project_ and 32 hex digits' })
    .optional()
    .meta({ description: 'Only this project, by its id' }),
});
export type AuditQuery = z.output<typeof auditQuery>;

const auditPageSchema = z.object({
  entries: z.array(auditEntrySchema).meta({ description: 'Newest first' }),
  nextCursor: z.string().nullable().meta({ description: 'null on the last page' }),
});
export type AuditPage = z.output<typeof auditPageSchema>;

const none = z.object({});

/** The route of the audit log in `ROUTES`. */
export const AUDIT_ROUTES = {
  listAudit: {
    method: 'get',
    paths: ['/v1/audit'],
    summary:
      'What was done by you, and by anyone in the projects that you own, newest first (ours)',
    scope: 'manage',
    params: none,
    query: auditQuery,
    body: none,
    data: auditPageSchema,
    errors: [],
  },
} as const;
