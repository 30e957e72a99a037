import * as z from 'zod';
import { errorOfCode } from '../../api/errors';
import type { RunningService } from './running-service';

const answerSchema = z.object({ code: z.int(), message: z.string(), data: z.unknown() });

/** Runs an administration command of a running service. @throws ApiError */
export async function administer(
  { url, adminToken }: RunningService,
  name: string,
  input: object,
): Promise<unknown> {
  const response = await fetch(new URL(`/admin/${name}`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { code, message, data } = answerSchema.parse(await response.json());
  if (code === 0) return data;
  throw errorOfCode(code, message);
}
