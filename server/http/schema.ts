import * as z from 'zod';

/** Whether an object schema has fields. The body of an operation without fields is not read. */
export function hasFields(schema: z.ZodType): boolean {
  const read = schema instanceof z.ZodPipe ? schema.out : schema;
  return read instanceof z.ZodObject && Object.keys(read.shape).length > 0;
}

export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schema (draft 2020-12, as in OpenAPI 3.1) of a request's (`input`) or an answer's (`output`) data.
 * @param components receives the named schemas, which the result refers to as `#/components/schemas/…`
 */
export function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: JsonSchema,
): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      simplify(jsonSchema, io);
    },
  });
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest } = JSON.parse(text) as JsonSchema;
  Object.assign(components, $defs);
  delete rest['$schema']; // the document declares the dialect
  return rest;
}

/**
 * Removes details without information for readers: bounds that only mean "a safe integer", and in answers the rejection of unknown fields.
 */
function simplify(json: JsonSchema, io: 'input' | 'output'): void {
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  if (io === 'output' && json['additionalProperties'] === false)
    delete json['additionalProperties'];
}
