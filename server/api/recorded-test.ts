import * as z from 'zod';
import { networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

/** What recordings of tests are asked for with in the place of a chain: they are on none. */
export const TEST_CHAIN = 'forge';

const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\)/;
const FILE = 'the absolute path of a file';
const BLOCK = 'the number of a block';
const TEST = 'text such as VaultTest.test_withdraw';

export const recordTestBody = z.object({
  file: z
    .string({ error: FILE })
    .max(CONTRACT_LIMITS.pathLength, { error: FILE })
    .refine((path) => ABSOLUTE.test(path) && !path.includes('\0'), { error: FILE })
    .meta({
      description:
        'What `forge test --json -vvvvv` wrote. It is read again where the recording is no longer kept',
    }),
  test: z.string({ error: TEST }).max(1_000, { error: TEST }).optional().meta({
    description: 'Contract and function; default: the first test that failed, else the first one',
  }),
  fork: z
    .object({
      chain: networkSchema,
      block: z
        .int({ error: BLOCK })
        .min(0, { error: BLOCK })
        .meta({ description: 'The value of `--fork-block-number`' }),
    })
    .optional()
    .meta({
      description:
        'Where forge was run with `--fork-url`: slug of the chain or id of the fork, and the block. Its state and the sources of its contracts are then known',
    }),
});

export type RecordTestBody = z.infer<typeof recordTestBody>;
