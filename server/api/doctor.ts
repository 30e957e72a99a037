import * as z from 'zod';
import { endpointSchema } from './endpoint';

const findingSchema = z.object({
  /** Subject of the check: `engine`, `endpoint of eth (1 of 2)`. */
  name: z.string(),
  /** `failed`: a function does not work; `warning`: it works with restrictions. */
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  /** The remedy; undefined if none is needed. */
  advice: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

/** Output of `forklens doctor --json`. */
export const doctorReportSchema = z.object({
  version: z.string(),
  findings: z.array(findingSchema),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** Answer of the command `status` to programs on the same machine. */
export const serviceStatusSchema = z.object({
  /** Time of the youngest entry of the audit log that was removed to make room since the start, if it was less than 30 days old. RFC 3339. */
  auditDropped: z.string().optional(),
  /** Longest pause of the event loop since the start, in seconds; with the processor time of its thread, which may be of another pause. */
  longestStall: z.object({ seconds: z.number(), processorSeconds: z.number() }),
});
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;

/** Further endpoints to check besides those of the config file. Passed over standard input, because they may contain keys. */
export const doctorEndpointsSchema = z.array(endpointSchema);
