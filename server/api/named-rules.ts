import * as z from 'zod';
import { HARDFORKS } from './config';

/** A hardfork that a request names for its execution. */
export const namedRulesSchema = z
  .enum(HARDFORKS, { error: `a hardfork: ${HARDFORKS.join(', ')}` })
  .meta({
    description:
      'Ours: the hardfork by which the service executes, where that of the block is not known or none of its engines has it',
  });
