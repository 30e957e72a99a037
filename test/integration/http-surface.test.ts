import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Project } from '../../server/api/project';
import { VERSION } from '../../server/composition/startup/version';
import { startService, type TestService } from '../support/service';

describe('the HTTP interface', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  describe('envelope', () => {
    const cases: [string, string, string, object, number, number, RegExp][] = [
      ['unknown route', 'GET', '/v1/nothing', {}, 404, 40400, /"\/v1\/nothing"/],
      ['unknown route outside /v1', 'GET', '/nothing', {}, 404, 40400, /no route/],
      ['no key', 'GET', '/v1/projects', { key: null }, 401, 40100, /Access-Key is missing/],
      ['empty key', 'GET', '/v1/projects', { key: '' }, 401, 40100, /Access-Key is missing/],
      ['malformed key', 'GET', '/v1/projects', { key: 'fl_x' }, 401, 40101, /unknown/],
      [
        'unknown key',
        'GET',
        '/v1/projects',
        { key: `fl_${'0'.repeat(52)}` },
        401,
        40101,
        /unknown/,
      ],
      ['wrong method', 'PUT', '/v1/projects', {}, 405, 40501, /PUT.*accepted: GET, HEAD, OPTIONS/],
      ['malformed JSON', 'POST', '/v1/project', { text: '{"name":' }, 400, 40000, /not JSON/],
      ['no body', 'POST', '/v1/project', {}, 400, 40001, /name is missing; accepted: text of 1-64/],
      [
        'body that is no object',
        'POST',
        '/v1/project',
        { text: '[1]' },
        400,
        40001,
        /body is \[1\]/,
      ],
      ['number as name', 'POST', '/v1/project', { body: { name: 7 } }, 400, 40001, /name is 7;/],
      ['blank name', 'POST', '/v1/project', { body: { name: '  ' } }, 400, 40001, /name is /],
      ['long name', 'POST', '/v1/project', { body: { name: 'x'.repeat(65) } }, 400, 40001, /1-64/],
      [
        'control character',
        'POST',
        '/v1/project',
        { body: { name: 'a\nb' } },
        400,
        40001,
        /control/,
      ],
      [
        'body too large',
        'POST',
        '/v1/project',
        { text: `"${'x'.repeat(2 ** 21)}"` },
        413,
        41300,
        /limit/,
      ],
      ['bad percent-encoding', 'GET', '/v1/project/%ZZ', {}, 400, 40001, /percent-encoding/],
      [
        'unknown project',
        'GET',
        '/v1/project/project_0',
        {},
        404,
        40401,
        /"project_0" does not exist/,
      ],
      [
        'inherited name as project',
        'GET',
        '/v1/project/__proto__',
        {},
        404,
        40401,
        /does not exist/,
      ],
      [
        'bad hash',
        'GET',
        '/v1/explorer/eth/transaction/0x12/balance-change',
        {},
        400,
        40001,
        /transaction is "0x12"; accepted: a transaction hash/,
      ],
      [
        'unknown chain',
        'GET',
        `/v1/explorer/nope/transaction/0x${'1'.repeat(64)}/invocation-flow`,
        {},
        404,
        40404,
        /"nope"/,
      ],
    ];
    for (const [name, method, path, options, status, code, message] of cases) {
      it(`answers ${name} with ${code}`, async () => {
        const answer = await service.request(method, path, options);
        assert.equal(answer.status, status);
        assert.equal(answer.code, code);
        assert.match(answer.message, message);
        assert.equal(answer.data, null);
        assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
      });
    }

    it('names every invalid field', async () => {
      const projects = await service.request<Project[]>('GET', '/v1/projects');
      const { projectId } = projects.data[0]!;
      const answer = await service.request('POST', `/v1/project/${projectId}/fork`, {
        body: { chainId: '1', height: -5, position: -1, antiReplay: 'yes' },
      });
      assert.equal(answer.code, 40001);
      for (const field of [
        'chainId is "1"',
        'height is -5',
        'position is -1',
        'name is missing',
        'antiReplay is "yes"',
      ]) {
        assert.ok(answer.message.includes(field), `${field} in ${answer.message}`);
      }
    });

    it('answers HEAD like GET without a body, and OPTIONS with the methods', async () => {
      const head = await fetch(`${service.url}/v1/projects`, {
        method: 'HEAD',
        headers: { 'Access-Key': service.key },
      });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), '');
      const options = await service.request('OPTIONS', '/v1/project/x', { key: null });
      assert.equal(options.status, 200);
      assert.equal(options.code, 0);
      assert.equal(options.headers.get('Allow'), 'GET, HEAD, PATCH, DELETE, OPTIONS');
      assert.equal(options.headers.get('Access-Control-Allow-Origin'), null);
    });

    it('answers completely, whatever the client has cached', async () => {
      const headers = { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() };
      const answer = await service.request('GET', '/v1/projects', { headers });
      assert.deepEqual([answer.status, answer.code], [200, 0]);
    });

    it('answers malformed HTTP with an envelope, too', async () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.end('nonsense\r\n\r\n');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(socket, 'close');
      const text = Buffer.concat(chunks).toString();
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.match(text, /\{"code":40001,.*"data":null\}$/);
    });
  });

  describe('host guard', () => {
    const statusFor = async (host: string, path: string): Promise<[number, string]> => {
      const { port } = new URL(service.url);
      const request = httpRequest({ port, path, headers: { host } });
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return [response.statusCode ?? 0, text];
    };
    for (const path of ['/health', '/v1/projects', `/rpc/${'0'.repeat(32)}`]) {
      it(`rejects foreign hosts at ${path}`, async () => {
        for (const host of [
          'evil.example',
          'localhost.evil.example',
          '127.0.0.1.evil.example:80',
          'a b',
        ]) {
          const [status, text] = await statusFor(host, path);
          assert.equal(status, 400, host);
          assert.equal((JSON.parse(text) as { code: number }).code, 40002);
        }
      });
    }
    it('accepts its own names with any port', async () => {
      for (const host of ['127.0.0.1', 'localhost:9999', 'LOCALHOST', '[::1]:8787']) {
        assert.equal((await statusFor(host, '/health'))[0], 200, host);
      }
    });
  });

  describe('documents', () => {
    it('returns the health without a key', async () => {
      const health = (await (await fetch(`${service.url}/health`)).json()) as Record<
        string,
        unknown
      >;
      assert.equal(health['status'], 'ok');
      assert.equal(health['version'], VERSION);
    });

    it('returns the interface as OpenAPI 3.1 with valid references', async () => {
      const text = await (await fetch(`${service.url}/openapi.json`)).text();
      const document = JSON.parse(text) as {
        openapi: string;
        info: { description: string };
        paths: Record<string, Record<string, { operationId: string }>>;
        components: { schemas: Record<string, unknown>; securitySchemes: unknown };
      };
      assert.equal(document.openapi, '3.1.0');
      assert.deepEqual(Object.keys(document.paths['/v1/project/{project_id}']!), [
        'get',
        'patch',
        'delete',
      ]);
      assert.deepEqual(Object.keys(document.paths['/v1/project/delete/{project_id}']!), ['delete']);
      const ids = Object.values(document.paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      );
      assert.equal(new Set(ids).size, ids.length);
      assert.match(document.info.description, /\| 40401 \| 404 \|/);
      for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
        assert.ok(document.components.schemas[name!], name);
      }
      assert.ok(!text.includes('$defs'));
      assert.deepEqual(document.components.securitySchemes, {
        accessKey: { type: 'apiKey', in: 'header', name: 'Access-Key' },
        metricsToken: { type: 'http', scheme: 'bearer' },
      });
    });
  });
});
