import * as z from 'zod';

/** File in the data directory by which programs of the same user find the process that holds it. */
export const SERVICE_RECORD_FILE = 'service.json';

export const serviceRecordSchema = z.object({
  pid: z.int().positive(),
  /** null while the process starts or stops, and for a command that has no address. */
  url: z.string().nullable(),
  /** Of this run; `GET /health` answers with the same. */
  instance: z.string(),
  /** Authorizes `POST /admin/:command`. */
  adminToken: z.string(),
});
export type ServiceRecord = z.infer<typeof serviceRecordSchema>;

/** Exit codes of the service besides 0: failed; bad options, config file or data directory; data directory in use. */
export const SERVICE_EXIT = { failure: 1, usage: 2, inUse: 3 } as const;
