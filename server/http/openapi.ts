import * as z from 'zod';
import { CHANGES_PATH, changeSchema } from '../api/changes';
import { envelopeSchema } from '../api/envelope';
import { API_ERRORS, type ApiErrorName } from '../api/errors';
import { livenessSchema, readinessSchema } from '../api/probes';
import { exactly } from '../api/validation';
import { ROUTE_ROLES } from '../api/route-roles';
import { healthSchema, ROUTES, type Route, type RouteId } from '../api/routes';
import { REFUSED } from '../forks/methods/method-names';
import { METHOD_TABLE, methodTable } from '../forks/methods/method-table';
import { BODY_EXAMPLES } from './body-examples';
import { hasFields, toJsonSchema, type JsonSchema } from './schema';

/** Errors that every operation can return. */
const COMMON_ERRORS: readonly ApiErrorName[] = [
  'invalidField',
  'invalidHost',
  'keyMissing',
  'keyUnknown',
  'keyExpired',
  'scopeMissing',
  'tooManyRequests',
  'internal',
];
const CHANGE_ERRORS: readonly ApiErrorName[] = ['storageFull', 'outOfFiles'];
const BODY_ERRORS: readonly ApiErrorName[] = [
  'malformedJson',
  'bodyTooLarge',
  'unsupportedMediaType',
];

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

/** The whole API as OpenAPI 3.1, generated from the schemas that validate requests. */
export function createOpenApiDocument(version: string): JsonSchema {
  const components: JsonSchema = {
    Error: toJsonSchema(
      envelopeSchema(z.null().meta({ description: 'Always null' })),
      'output',
      {},
    ),
  };
  const paths: Record<string, JsonSchema> = {
    '/health': { get: plainOperation('health', 'Liveness and version', healthSchema, components) },
    '/health/live': {
      get: plainOperation('liveness', 'Whether the process answers', livenessSchema, components),
    },
    '/health/ready': { get: readinessOperation(components) },
    '/metrics': { get: metricsOperation() },
  };
  for (const id of Object.keys(ROUTES) as RouteId[]) {
    ROUTES[id].paths.forEach((path, index) => {
      const operationId = index === 0 ? id : `${id}${index + 1}`;
      const template = path.replace(/:(\w+)/g, '{$1}');
      const operation = operationObject(id, operationId, components);
      paths[template] = { ...paths[template], [ROUTES[id].method]: operation };
    });
  }
  paths[CHANGES_PATH] = { get: changesOperation(components) };
  return {
    openapi: '3.1.0',
    info: { title: 'Forklens', version, description: errorTable() },
    servers: [{ url: '/' }],
    security: [{ accessKey: [] }],
    paths,
    'x-fork-rpc': {
      description: `JSON-RPC address of a fork, the field \`rpc\`: HTTP with single and batch requests, and WebSocket.\n\n${methodTable()}`,
      groups: METHOD_TABLE,
      refused: REFUSED,
    },
    components: {
      schemas: components,
      securitySchemes: {
        accessKey: { type: 'apiKey', in: 'header', name: 'Access-Key' },
        metricsToken: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationObject(id: RouteId, operationId: string, components: JsonSchema): JsonSchema {
  const route: Route = ROUTES[id];
  const takesBody = hasFields(route.body);
  const errors = [
    ...COMMON_ERRORS,
    ...(takesBody ? BODY_ERRORS : []),
    ...(route.method === 'get' ? [] : CHANGE_ERRORS),
    ...(ROUTE_ROLES[id] === 'editor' ? (['roleMissing'] as const) : []),
    ...route.errors,
  ];
  return {
    operationId,
    summary: route.summary,
    ...descriptionOf(id),
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
    ],
    ...(takesBody
      ? {
          requestBody: requestBody(
            toJsonSchema(exactly(route.body), 'input', components),
            BODY_EXAMPLES[id as keyof typeof BODY_EXAMPLES],
          ),
        }
      : {}),
    responses: {
      200: {
        description: 'OK',
        content: json(toJsonSchema(envelopeSchema(route.data), 'output', components)),
      },
      ...errorResponses(errors),
    },
  };
}

/** What the key and the user need for an operation. */
function descriptionOf(id: RouteId): { description?: string } {
  const { scope }: Route = ROUTES[id];
  const role = ROUTE_ROLES[id];
  const needs = [
    ...(scope === 'any' ? [] : [`Scope of the access key: ${scope}`]),
    ...(role === 'none' ? [] : [`Role in the project, or in that of the fork: ${role}`]),
  ];
  return needs.length > 0 ? { description: needs.join('. ') } : {};
}

function changesOperation(components: JsonSchema): JsonSchema {
  const schema = toJsonSchema(changeSchema, 'output', components);
  return {
    operationId: 'watchChanges',
    summary: 'What changes in your projects, as it happens (ours)',
    description:
      'Scope of the access key: manage\n\nServer-sent events: one `ready`, then a `change` for each, whose data this schema ' +
      'describes; of changes of the same thing that come close together only the newest. After a lost connection: ask for ' +
      'everything again once `ready` has come, so that nothing is missed.',
    responses: {
      200: { description: 'OK', content: { 'text/event-stream': { schema } } },
      ...errorResponses(COMMON_ERRORS),
    },
  };
}

/** Fields are accepted at the top level of the body and inside `data`. */
function requestBody(fields: JsonSchema, example: object): JsonSchema {
  const data = { ...fields, description: 'The fields, where they are not at the top level' };
  const wrapped = { type: 'object', properties: { data }, required: ['data'] };
  const content = { schema: { anyOf: [fields, wrapped] }, example };
  return { required: true, content: { 'application/json': content } };
}

function parameters(schema: z.ZodType, place: string, components: JsonSchema): JsonSchema[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input', components) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...describedOnce(property),
  }));
}

/** Moves the description of a parameter out of its schema. */
const describedOnce = ({ description, ...schema }: JsonSchema): JsonSchema => ({
  ...(description === undefined ? {} : { description }),
  schema,
});

function errorResponses(errors: readonly ApiErrorName[]): JsonSchema {
  const lines = new Map<number, string[]>();
  for (const name of new Set(errors)) {
    const { status, code, meaning } = API_ERRORS[name];
    lines.set(status, [...(lines.get(status) ?? []), `${code}: ${meaning}`]);
  }
  const content = json({ $ref: '#/components/schemas/Error' });
  return Object.fromEntries(
    [...lines].map(([status, text]) => [status, { description: text.join('\n\n'), content }]),
  );
}

function plainOperation(
  operationId: string,
  summary: string,
  schema: z.ZodType,
  components: JsonSchema,
): JsonSchema {
  const content = json(toJsonSchema(schema, 'output', components));
  return { operationId, summary, security: [], responses: { 200: { description: 'OK', content } } };
}

function readinessOperation(components: JsonSchema): JsonSchema {
  const summary = 'Whether a load balancer may send requests here';
  const content = json(toJsonSchema(readinessSchema, 'output', components));
  return {
    operationId: 'readiness',
    summary,
    security: [],
    responses: {
      200: { description: 'ready', content },
      503: { description: 'notReady: `reason` says why', content },
    },
  };
}

function metricsOperation(): JsonSchema {
  const content = { 'text/plain': { schema: { type: 'string' } } };
  return {
    operationId: 'metrics',
    summary: "What the service measures, in Prometheus' text format",
    description:
      'With `metrics.token`, the header `Authorization: Bearer <token>` is required; without one, only programs on the same machine ' +
      'get an answer. To all others the route does not exist.',
    security: [{}, { metricsToken: [] }],
    responses: { 200: { description: 'OK', content }, ...errorResponses(['routeNotFound']) },
  };
}

/** The error table as CommonMark. */
function errorTable(): string {
  const rows = Object.values(API_ERRORS).map(
    ({ code, status, meaning }) => `| ${code} | ${status} | ${meaning} |`,
  );
  return [
    'Every answer below `/v1` is `{ "code": 0, "message": "OK", "data": … }`, or an error:',
    ['| code | HTTP status | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
