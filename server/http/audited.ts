import type { Request } from 'express';
import { ROUTE_ROLES } from '../api/route-roles';
import type { RouteId } from '../api/routes';
import type { Caller } from '../projects/access-keys';
import type { AuditLog } from '../projects/audit-log';
import { clientAddress } from '../kernel/streams/client-address';

/** Operations on the caller's own account that are recorded. */
const OF_ACCOUNT: ReadonlySet<RouteId> = new Set<RouteId>([
  ...(['createProject', 'createKey', 'revokeKey', 'rotateKey'] as const),
]);

/** Whether an operation changes forks, projects, their members or keys. */
const isAudited = (id: RouteId): boolean =>
  OF_ACCOUNT.has(id) || ROUTE_ROLES[id] === 'editor' || ROUTE_ROLES[id] === 'owner';

interface Audited {
  id: RouteId;
  /** Validated. */
  input: unknown;
  caller: Caller;
  request: Request;
  requestId: string;
}

/** Runs an operation, and records it in the audit log with its outcome if it changes something. */
export function audited<T>(
  audit: AuditLog,
  { id, input, caller, request, requestId }: Audited,
  run: () => Promise<T>,
): Promise<T> {
  if (!isAudited(id)) return run();
  const { params, body } = input as Record<string, Partial<Record<string, string>>>;
  const { user, key } = caller;
  const action = {
    action: id,
    actor: user.email,
    userId: user.userId,
    keyId: key.keyId,
    requestId,
    address: clientAddress(request) ?? '',
    projectId: params?.['project_id'],
    forkId: params?.['fork_id'],
    targetKeyId: params?.['key_id'],
    email: body?.['email'],
    role: body?.['role'],
  };
  return audit.around(action, run);
}
