import type { z } from 'zod';
import { ApiError, invalidField } from './errors';

/** Path of an issue as people write it: `chains[0].rpcUrls[1]`; `root` where the issue is about the whole. */
export function fieldPath(path: readonly PropertyKey[], root: string): string {
  const text = path.reduce<string>(
    (done, key) => (typeof key === 'number' ? `${done}[${key}]` : `${done}.${String(key)}`),
    '',
  );
  return text.replace(/^\./, '') || root;
}

/** What zod calls a type, where a schema has no words of its own. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function acceptedBy(issue: z.core.$ZodIssue): string {
  const isOwn = !issue.message.startsWith('Invalid input');
  if (!isOwn && issue.code === 'invalid_value') return issue.values.map(String).join(', ');
  return isOwn || issue.code !== 'invalid_type'
    ? issue.message
    : (TYPES[issue.expected] ?? issue.expected);
}

/**
 * Validates what a client sent.
 * @param root name of the whole, for issues that are about no single field
 * @throws ApiError `invalidField`: each wrong field with its value and what is accepted
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const firstOfField = new Map<string, string>();
  for (const issue of result.error.issues) {
    const field = fieldPath(issue.path, root);
    if (!firstOfField.has(field)) {
      firstOfField.set(field, invalidField(field, issue.input, acceptedBy(issue)).message);
    }
  }
  throw new ApiError('invalidField', [...firstOfField.values()].join('; '));
}
