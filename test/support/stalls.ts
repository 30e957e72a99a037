import { readMetrics, type Metrics } from './metrics';

const PAUSES = 'forklens_event_loop_stall_processor_seconds';
/** Buckets of the metric. */
type Bound = 0.1 | 0.25 | 0.5 | 1;

/**
 * Number of pauses of a service's event loop since its start in which its process worked for more than 0.1 s. The time in which other
 * processes had the processor does not count.
 * @param accepted seconds; more than 0.1 where the memory is so full that its collection takes longer
 */
export async function longPauses(service: { url: string }, accepted: Bound = 0.1): Promise<number> {
  const metrics: Metrics = await readMetrics(service);
  const all = metrics.get(`${PAUSES}_count`) ?? 0;
  return all - (metrics.get(`${PAUSES}_bucket{le="${accepted}"}`) ?? 0);
}
