import { readMetrics, type Metrics } from './metrics';

const PAUSES = 'forklens_event_loop_stall_processor_seconds';
/** A bucket of the metric. */
const ACCEPTED = '0.1';

/**
 * Number of pauses of a service's event loop since its start in which its process worked for more than 0.1 s. The time in which other
 * processes had the processor does not count.
 */
export async function longPauses(service: { url: string }): Promise<number> {
  const metrics: Metrics = await readMetrics(service);
  const all = metrics.get(`${PAUSES}_count`) ?? 0;
  return all - (metrics.get(`${PAUSES}_bucket{le="${ACCEPTED}"}`) ?? 0);
}
