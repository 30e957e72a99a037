import * as z from 'zod';
import { HARDFORKS } from './config';

/** A hardfork that a request names for its execution. */
export const namedRulesSchema = z
  .enum(HARDFORKS, { error: `a hardfork: ${HARDFORKS.join(', ')}` })
  .meta({
    description:
      'Ours: the hardfork whose rules the service executes, if it does not know that of the block or has no engine for it',
  });
