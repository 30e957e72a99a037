import fc from 'fast-check';
import { ROUTES, type RouteId } from '../../server/api/routes';
import { createOpenApiDocument } from '../../server/http/openapi';
import { sandboxTransactions } from '../support/sandbox-hashes';
import { fromSchema, type Hints, type Schema } from './from-schema';
import { hostileText, hostileValue, mutated, mutation, wellFormed } from './hostile-values';

export type KeyKind = 'owner' | 'foreign' | 'narrow' | 'none' | 'junk';

/** One request. Texts that begin with @ are replaced by an existing id when the step is sent: `@fork/2` is one of the forks. */
export interface Step {
  /** undefined: a path and a method without a route. */
  route?: RouteId;
  method: string;
  path: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** undefined: no body. A text is sent unchanged. */
  body?: unknown;
  key: KeyKind;
  headers: Record<string, string>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

const DOCUMENT = createOpenApiDocument('0') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const reference = (kind: string): fc.Arbitrary<string> =>
  fc.nat({ max: 9 }).map((index) => `@${kind}/${index}`);
const HASHES = Object.values(sandboxTransactions);
const ADDRESS = fc.constantFrom(
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  `0x${'0'.repeat(40)}`,
);

/** Values that exist, for fields whose schema is a string. */
const HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  project_id: reference('project'),
  fork_id: reference('fork'),
  snapshot_id: reference('snapshot'),
  chain: fc.oneof(fc.constant('sandbox'), reference('fork')),
  chainId: fc.constant(31_337),
  transaction: fc.constantFrom(...HASHES),
  hash: fc.constantFrom(...HASHES),
  address: ADDRESS,
  from: ADDRESS,
  to: ADDRESS,
  height: fc.constantFrom('0x1', '0x8', '0x20', 'safe', 'latest', 5),
  position: fc.nat({ max: 2 }),
  email: reference('guest'),
  name: fc.constantFrom('a', 'b', 'treasury', 'ünïcödé'),
  folders: fc.constantFrom([], ['/nonexistent']),
  at: fc.constantFrom('0x8', 'latest', '5', HASHES[0]),
  type: fc.constantFrom('uint256', 'address', 'bytes32[]', 'string'),
  data: fc.constantFrom('0x', '0xa9059cbb', '0x600160005260206000f3'),
  input: fc.constantFrom('0x', '0x00'),
  limit: fc.constantFrom('1', '50', '200'),
  cursor: fc.constantFrom('0-0', '9-1'),
  storageKeys: fc.constant(`0x${'0'.repeat(64)}`),
  value: fc.constantFrom('0x0', '1', '0x1'),
  gas: fc.constantFrom('100000', '0x5208'),
};
const PRICES = fc.constantFrom('0x0', '1', '0x3b9aca00', '30000000000');
/** The same, for one field of one operation. */
const OPERATION_HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'branchFork.transaction': reference('sent'),
  'revokeKey.key_id': reference('key'),
  'rotateKey.key_id': reference('key'),
  'findInRecording.from': fc.nat({ max: 500 }),
  'getDisassembly.before': fc.nat({ max: 50 }),
  'evaluateInRecording.expression': fc.constantFrom('1 + 1', 'msg.sender', 'msg.value > 0', 'x['),
};
const hintsOf =
  (operation: string): Hints =>
  (field) =>
    OPERATION_HINTS[`${operation}.${field}`] ??
    HINTS[field] ??
    (/^(gasPrice|max\w*Fee\w*|nonce|baseFeePerGas|balance|r|s|yParity)$/.test(field)
      ? PRICES
      : undefined);

const routeOf = (operationId: string): RouteId => operationId.replace(/\d$/, '') as RouteId;

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Accept: 'text/event-stream' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { Expect: '100-continue' },
      { 'Content-Encoding': 'br' },
      { Origin: 'http://example.org' },
      { Host: 'example.org' },
      { 'X-HTTP-Method-Override': 'DELETE' },
      { Range: 'bytes=0-1' },
      { 'If-None-Match': '*' },
    ),
  },
);

const key: fc.Arbitrary<KeyKind> = fc.oneof(
  { weight: 20, arbitrary: fc.constant('owner' as const) },
  { weight: 4, arbitrary: fc.constant('foreign' as const) },
  { weight: 1, arbitrary: fc.constantFrom('narrow' as const, 'none' as const, 'junk' as const) },
);

const MALFORMED = fc.constantFrom(
  '{',
  '[]',
  'null',
  '"x"',
  '1',
  '{"name":}',
  '\ufeff{}',
  '{"name":"x","name":1}',
  '[1,2',
  '{"data":{"data":{}}}',
  '{"data":[]}',
  '['.repeat(5_000),
  '\0',
  `"${'x'.repeat(1_100_000)}"`,
);

function ofOperation(method: string, path: string, operation: Operation): fc.Arbitrary<Step> {
  const named = DOCUMENT.components.schemas;
  const hints = hintsOf(routeOf(operation.operationId));
  const valid = (schema: Schema, field: string): fc.Arbitrary<unknown> =>
    fromSchema(schema, named, hints, field);
  const parameters = operation.parameters ?? [];
  const fields = (place: 'path' | 'query', requiredOnly: boolean): fc.Arbitrary<object> =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((one) => one.in === place)
          .map(({ name, schema }) => [
            name,
            fc.oneof(
              { weight: 9, arbitrary: valid(schema, name) },
              { weight: 1, arbitrary: place === 'path' ? hostileText : hostileValue },
            ),
          ]),
      ),
      requiredOnly ? {} : { requiredKeys: [] },
    );
  const schema = operation.requestBody?.content['application/json'].schema;
  const body = schema ? valid(schema, '') : fc.constant(undefined);
  const anyBody = fc.oneof(
    { weight: 5, arbitrary: body },
    {
      weight: 4,
      arbitrary: fc.tuple(body, mutation).map(([value, change]) => mutated(value ?? {}, change)),
    },
    { weight: 1, arbitrary: MALFORMED },
  );
  return fc.record({
    route: fc.constant(routeOf(operation.operationId)),
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    params: fields('path', true) as fc.Arbitrary<Record<string, unknown>>,
    query: fc.oneof(
      { weight: 9, arbitrary: fields('query', false) },
      { weight: 1, arbitrary: fc.dictionary(hostileText, hostileValue, { maxKeys: 3 }) },
    ) as fc.Arbitrary<Record<string, unknown>>,
    body: schema
      ? anyBody
      : fc.oneof({ weight: 19, arbitrary: body }, { weight: 1, arbitrary: hostileValue }),
    key,
    headers,
  });
}

/** Paths and methods without a route, and paths outside of the interface. */
const wild: fc.Arbitrary<Step> = fc.record({
  method: fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'OPTIONS',
    'TRACE',
    'HEAD',
    'PROPFIND',
  ),
  path: fc
    .tuple(
      fc.constantFrom(
        '/',
        '/v1/',
        '/v1/project/',
        '/v1/explorer/sandbox/',
        '/admin/',
        '/rpc/',
        '/health',
        '//',
      ),
      fc.oneof(
        hostileText.map((text) => encodeURIComponent(wellFormed(text))),
        fc.constantFrom(
          '..%2f..%2fetc%2fpasswd',
          '%',
          '%ff',
          '%2e%2e/',
          'addUser',
          'checkEndpoint',
        ),
      ),
    )
    .map(([start, end]) => start + end),
  params: fc.constant({}),
  query: fc.constant({}),
  body: fc.oneof(fc.constant(undefined), hostileValue),
  key,
  headers,
});

/** Sequences of requests to all operations of the OpenAPI document. */
export const restScripts: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: wild },
    ...Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { operationId }]) => Object.hasOwn(ROUTES, routeOf(operationId)))
        .map(([method, operation]) => ({
          weight: 1,
          arbitrary: ofOperation(method, path, operation),
        })),
    ),
  ),
  { minLength: 1, maxLength: 5 },
);
