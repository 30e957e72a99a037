import * as z from 'zod';
import { CONTRACT_LIMITS } from './schema-limits';

const PAGE_SIZE = `a whole number from 1 to ${CONTRACT_LIMITS.pageSize}`;

/** The parameter `limit` of a list that is read by pages. @param description what it counts */
export const pageLimit = (description: string): z.ZodDefault<z.ZodCoercedNumber> =>
  z.coerce
    .number({ error: PAGE_SIZE })
    .int({ error: PAGE_SIZE })
    .min(1, { error: PAGE_SIZE })
    .max(CONTRACT_LIMITS.pageSize, { error: PAGE_SIZE })
    .default(50)
    .meta({ description });
