import type { ServiceStatus } from '../api/doctor';
import type { StallMeter } from '../kernel/metrics/stall-meter';
import type { AuditLog } from '../projects/audit-log';

/** What `forklens doctor` asks a running service. */
export class StatusCommand {
  constructor(private readonly read: () => ServiceStatus) {}

  /** @returns undefined for an unknown name */
  find(name: string): (() => Promise<ServiceStatus>) | undefined {
    return name === 'status' ? () => Promise.resolve(this.read()) : undefined;
  }
}

export function statusOf(stalls: StallMeter, audit: AuditLog): ServiceStatus {
  const { youngDropped } = audit;
  return {
    longestStall: stalls.longest,
    ...(youngDropped && { auditDropped: youngDropped.toISOString() }),
  };
}
