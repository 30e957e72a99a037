import * as z from 'zod';
import { ApiError, invalidField, invalidSecret, shown } from './errors';
import { nearest } from './nearest';

/** Path of an issue in the usual notation: `chains[0].rpcUrls[1]`; `root` if the issue concerns the whole value. */
export function fieldPath(path: readonly PropertyKey[], root: string): string {
  const text = path.reduce<string>(
    (done, key) => (typeof key === 'number' ? `${done}[${key}]` : `${done}.${String(key)}`),
    '',
  );
  return text.replace(/^\./, '') || root;
}

/** Texts for zod's types, if a schema has no text of its own. */
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
  const isOwn = !/^Invalid (input|option)/.test(issue.message);
  if (!isOwn && issue.code === 'invalid_value') return issue.values.map(String).join(', ');
  return isOwn || issue.code !== 'invalid_type'
    ? issue.message
    : (TYPES[issue.expected] ?? issue.expected);
}

/** The value at the path of an issue. For a field that chooses between objects, zod reports the whole object. */
function inputOf(issue: z.core.$ZodIssue): unknown {
  const { code, input } = issue;
  const isChoice = code === 'invalid_union' && issue.discriminator !== undefined;
  return isChoice && typeof input === 'object' && input !== null
    ? (input as Record<string, unknown>)[issue.discriminator]
    : input;
}

/**
 * Validates a client's input.
 * @param root name of the whole value, for issues without a field
 * @throws ApiError `invalidField` that names each invalid field, its value and the accepted values
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
    if (issue.code === 'unrecognized_keys') {
      firstOfField.set(`${field} keys`, unknownFields(issue, schema));
      continue;
    }
    if (!firstOfField.has(field)) {
      const accepted = acceptedBy(issue);
      const error = isSecret(schema, issue.path)
        ? invalidSecret(field, accepted)
        : invalidField(field, inputOf(issue), accepted);
      firstOfField.set(field, error.message);
    }
  }
  throw new ApiError(
    'invalidField',
    listed([...firstOfField.values()], (text) => text),
  );
}

/** Maximum number of faults in one message. */
const MAX_NAMED = 10;

/** The first faults as text, and the number of further ones. */
function listed<T>(faults: readonly T[], inWords: (fault: T) => string): string {
  const rest = faults.length - MAX_NAMED;
  const named = faults.slice(0, MAX_NAMED).map(inWords);
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** A version of the schema that rejects unknown fields. A schema that accepts further fields on purpose is unchanged. */
export function exactly(schema: z.ZodType): z.ZodType {
  const known = exactSchemas.get(schema);
  if (known) return known;
  const isOpen = schema instanceof z.ZodObject && schema.def.catchall === undefined;
  const exact = isOpen ? schema.strict() : schema;
  exactSchemas.set(schema, exact);
  return exact;
}

/** Kept, because zod compiles every schema at its first use. */
const exactSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** Names each unknown field and the known field most similar to it. */
function unknownFields(
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.core.$ZodType,
): string {
  const known = fieldsAt(schema, path);
  return listed(keys, (key) => {
    const meant = nearest(key, known);
    const question = meant === undefined ? '' : `did you mean ${meant}? `;
    const accepted = known.length === 0 ? 'no fields' : known.join(', ');
    return `${fieldPath([...path, shortened(key)], '')} is not known; ${question}accepted: ${accepted}`;
  });
}

const MAX_KEY = 40;
const shortened = (key: string): string =>
  key.length <= MAX_KEY && /^[\w$.-]+$/.test(key) ? key : shown(key.slice(0, MAX_KEY));

/** Whether a field is `writeOnly` (JSON Schema), or inside a `writeOnly` field. */
function isSecret(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let at: z.core.$ZodType | undefined = schema;
  return path.some((key) => {
    const member: z.core.$ZodType | undefined = memberOf(at && inner(at), key);
    at = member && inner(member);
    return at !== undefined && z.globalRegistry.get(at)?.['writeOnly'] === true;
  });
}

/** Field names of the object schema at a path. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.core.$ZodType | undefined = schema;
  for (const key of path) at = memberOf(at && inner(at), key);
  return namesOf(at && inner(at));
}

/** Of an object, or of all objects of a union. */
function namesOf(schema: z.core.$ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (!(schema instanceof z.ZodUnion)) return [];
  return [...new Set(schema.options.flatMap((option) => namesOf(inner(option))))];
}

function memberOf(
  schema: z.core.$ZodType | undefined,
  key: PropertyKey,
): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as z.core.$ZodShape)[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodUnion) {
    return schema.options
      .map((option) => memberOf(inner(option), key))
      .find((member) => member !== undefined);
  }
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

/** The schema without its optional and default wrappers. */
function inner(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return inner(schema.out);
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType === undefined ? schema : inner(innerType);
}
