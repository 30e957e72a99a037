import * as z from 'zod';
import { visibleText } from '../../../api/visible-text';

/** Far more than any contract has. */
const MAX_MEMBERS = 2_000;
const MAX_TYPES = 5_000;
/** Members of all types together. */
const MAX_ALL_MEMBERS = 10_000;

const text = z.string().max(1_024).overwrite(visibleText);
const member = z.object({
  label: text,
  offset: z.int().min(0).max(31),
  slot: z.string().regex(/^\d{1,78}$/),
  type: text,
});
const members = z.array(member);
const type = z.object({
  encoding: text,
  label: text,
  numberOfBytes: z.string().regex(/^[1-9]\d{0,77}$/),
  key: text.optional(),
  value: text.optional(),
  base: text.optional(),
  members: members.optional(),
});

/** Whether the sizes are bounded, which is known before any entry is parsed: to parse 20,000 types takes longer than a slice. */
function isBounded(layout: unknown): boolean {
  const { storage, types } = objectOf(layout);
  const all = Object.values(objectOf(types));
  if (sizeOf(storage) > MAX_MEMBERS || all.length > MAX_TYPES) return false;
  const sizes = all.map((one) => sizeOf(objectOf(one)['members']));
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sum <= MAX_ALL_MEMBERS && sizes.every((size) => size <= MAX_MEMBERS);
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A storage layout by anyone: bounded, and without control characters. */
export const storageLayoutSchema = z
  .unknown()
  .refine(isBounded)
  .pipe(z.object({ storage: members, types: z.record(text, type).nullish() }));
