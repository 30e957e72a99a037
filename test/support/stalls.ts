import { readMetrics, type Metrics } from './metrics';

const PAUSES = 'forklens_event_loop_stall_processor_seconds';
/** Seconds: buckets of the metric. */
export type PauseLimit = 0.1 | 0.25 | 0.5 | 1;

/**
 * Number of pauses of a service's event loop since its start in which its process worked longer than accepted. The time in which other
 * processes had the processor does not count.
 * @param accepted more than 0.1 where the memory is so full that its collection takes longer, or on a machine of any speed
 */
export async function longPauses(
  service: { url: string },
  accepted: PauseLimit = 0.1,
): Promise<number> {
  const metrics: Metrics = await readMetrics(service);
  const all = metrics.get(`${PAUSES}_count`) ?? 0;
  return all - (metrics.get(`${PAUSES}_bucket{le="${accepted}"}`) ?? 0);
}
