import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

/** Values for fields by name where the schema is too general: mainly ids of existing things. */
export type Hints = (field: string) => fc.Arbitrary<unknown> | undefined;

const MAX_DEPTH = 5;
const LARGEST = 2_000;

/** Values that a JSON schema accepts. @param named schemas that it refers to */
export function fromSchema(
  schema: Schema,
  named: Readonly<Record<string, Schema>>,
  hints: Hints,
  field = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (one: Schema, name = field): fc.Arbitrary<unknown> =>
    fromSchema(one, named, hints, name, depth + 1);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const hinted = hints(field);
  if (hinted && schema.properties === undefined && schema.items === undefined) return hinted;
  if (depth > MAX_DEPTH) return fc.constant(null);
  if (schema.$ref !== undefined) {
    const target = named[schema.$ref.split('/').at(-1)!];
    return target ? inner(target) : fc.constant(null);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => inner(one)));
  if (schema.allOf) return inner(Object.assign({}, ...schema.allOf) as Schema);
  const { properties, required = [], minimum, exclusiveMinimum, maximum = LARGEST } = schema;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': {
      const fields = Object.entries(properties ?? {}).map(
        ([name, one]) => [name, inner(one, name)] as const,
      );
      const known = withFew(Object.fromEntries(fields), required);
      const { additionalProperties } = schema;
      if (properties || typeof additionalProperties !== 'object') return known;
      return fc.dictionary(fc.string({ maxLength: 8 }), inner(additionalProperties), {
        maxKeys: 3,
      });
    }
    case 'array':
      return fc.array(inner(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'string':
      return text(schema);
    case 'integer':
    case 'number': {
      const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
      return fc.integer({ min: least, max: Math.max(least, Math.min(maximum, LARGEST)) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Objects with at most three optional fields: larger sets are seldom valid together. */
function withFew(
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(fields).filter((name) => !required.includes(name));
  return fc
    .tuple(fc.record(fields), fc.subarray(optional, { maxLength: Math.min(3, optional.length) }))
    .map(([all, kept]) =>
      Object.fromEntries(
        Object.entries(all).filter(([name]) => required.includes(name) || kept.includes(name)),
      ),
    );
}

function text({ pattern, format, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uri') return fc.constant('http://localhost/');
  if (format === 'date-time') return fc.constant('2026-01-02T03:04:05.678Z');
  return fc.string({ minLength, maxLength: Math.min(maxLength, 20) });
}
