import assert from 'node:assert/strict';
import * as z from 'zod';
import { ROUTES, type Route, type RouteId } from '../../../server/api/routes';
import { exactly } from '../../../server/api/validation';
import { BODY_EXAMPLES } from '../../../server/http/body-examples';
import { createOpenApiDocument } from '../../../server/http/openapi';
import { hasFields } from '../../../server/http/schema';

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

const document = createOpenApiDocument('0') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Paths of the fields without description, in all object schemas inside a value. */
function* undescribed(value: unknown, at: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: Record<string, { description?: string }> };
  for (const [name, field] of Object.entries(properties ?? {})) {
    if ((field.description ?? '') === '') yield `${at}.${name}`;
  }
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'example') yield* undescribed(part, `${at}/${key}`);
  }
}

describe('the OpenAPI document', () => {
  it('describes all fields and parameters', () => {
    const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
      all.flatMap(({ name, description = '' }) => (description ? [] : [`${operationId} ${name}`])),
    );
    const fields = operations.flatMap((one) => [...undescribed(one, one.operationId)]);
    const named = [...undescribed(document.components.schemas, 'schemas')];
    // The summary of the operation describes `data`.
    const isData = /\/responses\/200\/content\/[^.]*\/schema\.data$/;
    const missing = [...parameters, ...fields, ...named].filter((path) => !isData.test(path));
    assert.deepEqual(missing, []);
  });

  it('has a valid example of every body', () => {
    const withBody = (Object.keys(ROUTES) as RouteId[]).filter((id) => hasFields(ROUTES[id].body));
    assert.deepEqual(Object.keys(BODY_EXAMPLES).sort(), [...withBody].sort());
    for (const id of withBody) {
      const { body }: Route = ROUTES[id];
      const operation = operations.find(({ operationId }) => operationId === id);
      const { example } = operation!.requestBody!.content['application/json'];
      const result = exactly(body).safeParse(example);
      assert.ok(result.success, result.success ? '' : `${id}: ${z.prettifyError(result.error)}`);
    }
  });
});
