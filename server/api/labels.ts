import * as z from 'zod';
import { addressSchema } from './primitives';
import { visibleText } from './visible-text';
import { CONTRACT_LIMITS } from './schema-limits';

const MAX_NAME = CONTRACT_LIMITS.labelLength;
const NAME = `text of 1-${MAX_NAME} visible characters`;

const name = z
  .string({ error: NAME })
  .overwrite(visibleText)
  .min(1, { error: NAME })
  .max(MAX_NAME, { error: NAME })
  .meta({ description: `Your name of the address: ${NAME}` });

const place = z.object({
  address: addressSchema,
  chain: z
    .string({ error: 'the slug of a chain, or the id of a fork' })
    .optional()
    .meta({ description: 'Slug of a chain, for it and its forks, or id of a fork; omitted: all' }),
});

const labelSchema = z.object({
  address: z.string().meta({ description: 'The named address, lower case' }),
  chain: z.string().optional().meta({ description: 'Left out where it counts on all chains' }),
  name: z.string().meta({ description: 'Your name of it' }),
});
/** An addition to the interface: a user's label for an address. Without `chain`, it applies to all chains. */
export type Label = z.infer<typeof labelSchema>;

const none = z.object({});

/** The label routes of `ROUTES`. */
export const LABEL_ROUTES = {
  listLabels: {
    method: 'get',
    paths: ['/v1/labels'],
    summary: 'Your names of addresses, oldest first (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: none,
    data: z.array(labelSchema),
    errors: [],
  },
  putLabel: {
    method: 'put',
    paths: ['/v1/labels'],
    summary: 'Name an address, for your own analyses of a chain and its forks, or of all (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: place.extend({ name }),
    data: labelSchema,
    errors: ['chainNotFound', 'labelLimit'],
  },
  deleteLabel: {
    method: 'delete',
    paths: ['/v1/labels'],
    summary: 'Delete your name of an address (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: place,
    data: z.null(),
    errors: ['labelNotFound'],
  },
} as const;
