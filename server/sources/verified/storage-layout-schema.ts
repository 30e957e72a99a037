import * as z from 'zod';
import { visibleText } from '../../api/visible-text';

/** Far more than any contract has. */
const MAX_MEMBERS = 2_000;
const MAX_TYPES = 5_000;

const text = z.string().max(1_024).overwrite(visibleText);
const member = z.object({
  label: text,
  offset: z.int().min(0).max(31),
  slot: z.string().regex(/^\d{1,78}$/),
  type: text,
});
const members = z.array(member).max(MAX_MEMBERS);
const type = z.object({
  encoding: text,
  label: text,
  numberOfBytes: z.string().regex(/^[1-9]\d{0,77}$/),
  key: text.optional(),
  value: text.optional(),
  base: text.optional(),
  members: members.optional(),
});

/** A storage layout by anyone: bounded, and without control characters. */
export const storageLayoutSchema = z.object({
  storage: members,
  types: z
    .record(text, type)
    .refine((types) => Object.keys(types).length <= MAX_TYPES)
    .nullish(),
});
