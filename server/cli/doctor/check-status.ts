import { serviceStatusSchema, type Finding, type ServiceStatus } from '../../api/doctor';
import { timeoutSignal } from '../../api/timeout-signal';
import { administer, readServiceRecord } from '../../client/service-record';

const TIMEOUT_MS = 5_000;
/** Pause that every client notices, in seconds. */
const LONG_STALL = 1;

/** What the running service reports about itself. Nothing without one, or if it does not answer: another check says so. */
export async function checkStatus(dataDir: string, url: string | undefined): Promise<Finding[]> {
  const record = await readServiceRecord(dataDir);
  if (url === undefined || record === undefined) return [];
  try {
    const { adminToken } = record;
    const signal = timeoutSignal(TIMEOUT_MS);
    const answer = await administer({ url, adminToken }, 'status', {}, signal);
    const status = serviceStatusSchema.parse(answer);
    return [stallFinding(status), auditFinding(status)];
  } catch {
    return [];
  }
}

function stallFinding({ longestStall }: ServiceStatus): Finding {
  const { seconds, processorSeconds } = longestStall;
  const name = 'event loop';
  const shown = seconds === 0 ? 'less than 0.05' : seconds.toFixed(2);
  const message = `longest pause since the start: ${shown} s; most processor time in a pause: ${processorSeconds.toFixed(2)} s`;
  if (seconds < LONG_STALL) return { name, status: 'ok', message };
  const advice =
    processorSeconds < LONG_STALL
      ? 'Other programs take the processor: give the service more of it.'
      : 'A request took too much work at a time: look for slow requests in the log, and report them.';
  return { name, status: 'warning', message, advice };
}

function auditFinding({ auditDropped }: ServiceStatus): Finding {
  const name = 'audit log';
  if (auditDropped === undefined) {
    return { name, status: 'ok', message: 'no entry of the last 30 days was removed' };
  }
  return {
    name,
    status: 'warning',
    message: `entries up to ${auditDropped} were removed to make room, which is less than 30 days ago`,
    advice: 'Copy it elsewhere more often, with forklens audit.',
  };
}
