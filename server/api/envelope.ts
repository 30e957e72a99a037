import * as z from 'zod';

/** The envelope of all answers below `/v1` (interface, "Common response envelope"). */
export const envelopeSchema = <T extends z.ZodType>(
  data: T,
): z.ZodObject<{ code: z.ZodInt; message: z.ZodString; data: T }> =>
  z.object({
    code: z.int().meta({ description: '0 for success, else a code of the error table' }),
    message: z.string().meta({ description: 'OK, or what went wrong' }),
    data,
  });

export interface Envelope<T> {
  code: number;
  message: string;
  data: T;
}

export const success = <T>(data: T): Envelope<T> => ({ code: 0, message: 'OK', data });
export const failure = (code: number, message: string): Envelope<null> => ({
  code,
  message,
  data: null,
});
