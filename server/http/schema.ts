import * as z from 'zod';

/** Whether an object schema names any field: an operation whose body has none reads no body. */
export const hasFields = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length > 0;

export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schema (draft 2020-12, as OpenAPI 3.1 takes it) of what is sent (`input`) or answered (`output`).
 * @param components receives the named schemas that it refers to by `#/components/schemas/…`
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
  delete rest['$schema']; // the dialect is the document's
  return rest;
}

/** Leaves out what tells a reader nothing: bounds that only say "a safe integer", and of answers a ban on fields yet to come. */
function simplify(json: JsonSchema, io: 'input' | 'output'): void {
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  if (io === 'output' && json['additionalProperties'] === false)
    delete json['additionalProperties'];
}
