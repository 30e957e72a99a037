import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { envelopeSchema } from '../api/envelope';
import { errorOfCode } from '../api/errors';
import {
  SERVICE_RECORD_FILE,
  serviceRecordSchema,
  type ServiceRecord,
} from '../api/service-record';

/** What the process that holds a data directory wrote about itself; undefined where there is none, or nothing that can be read. */
export async function readServiceRecord(dataDir: string): Promise<ServiceRecord | undefined> {
  try {
    const text = await readFile(join(dataDir, SERVICE_RECORD_FILE), 'utf8');
    return serviceRecordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const answerSchema = envelopeSchema(z.unknown());

/**
 * Runs an administration command of a running service.
 * @throws ApiError of the command; the error of `fetch`
 */
export async function administer(
  { url, adminToken }: { url: string; adminToken: string },
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(new URL(`/admin/${name}`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
  const { code, message, data } = answerSchema.parse(await response.json());
  if (code !== 0) throw errorOfCode(code, message);
  return data;
}
