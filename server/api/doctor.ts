import * as z from 'zod';
import { endpointSchema } from './endpoint';

const findingSchema = z.object({
  /** What was looked at: `engine`, `endpoint of eth (1 of 2)`. */
  name: z.string(),
  /** `failed`: something will not work; `warning`: it works, less well than it could. */
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  /** What to do about it; left out where there is nothing to do. */
  advice: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

/** What `forklens doctor --json` prints. */
export const doctorReportSchema = z.object({
  version: z.string(),
  findings: z.array(findingSchema),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** Endpoints that are checked besides those of the config file; they come over standard input, as they may hold keys. */
export const doctorEndpointsSchema = z.array(endpointSchema);
