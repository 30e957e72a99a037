import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { success } from '../../../server/api/envelope';
import { sendJson } from '../../../server/http/send-json';

describe('sendJson', () => {
  let server: Server;
  let url: string;
  let data: unknown;
  before(async () => {
    const app = express();
    app.get('/', (_request, response) => sendJson(response, success(data)));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [n, { name: `"${n}" \u2028 ☂`, list: [n, null] }]),
  );

  const treeOf = (depth: number): object => ({
    depth,
    children: depth === 0 ? [] : [treeOf(depth - 1), treeOf(depth - 1), undefined],
  });

  it('writes large values in pieces, with the same text as JSON.stringify', async () => {
    for (data of [
      { status: true, trace: [1], dataMap: many, left: undefined, nothing: null },
      { dataMap: many },
      { first: many, second: many, last: '' },
      Array.from({ length: 5_000 }),
      Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, undefined])),
      { tree: treeOf(9) },
      { text: ['x'.repeat(200_000), 'y'] },
    ]) {
      const response = await fetch(url);
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(response.headers.get('content-length'), null);
      assert.equal(await response.text(), JSON.stringify(success(data)));
    }
  });

  it('reads each of the calls that are nested deeply a few times only', async () => {
    let reads = 0;
    const input = {
      enumerable: true,
      get: () => {
        reads++;
        return '0x'.padEnd(64, '0');
      },
    };
    let calls: unknown = 'the innermost';
    for (let depth = 0; depth < 1_000; depth++) {
      calls = [
        ...Array.from({ length: 20 }, () => Object.defineProperty({}, 'input', input)),
        calls,
      ];
    }
    data = { calls };
    const text = await (await fetch(url)).text();
    assert.ok(reads < 10 * 20_000, `${reads} reads`);
    assert.equal(text, JSON.stringify(success(data)));
  });

  it('writes other values at once', async () => {
    for (data of [null, [], { dataMap: { 1: 2 } }, 'text', Array.from({ length: 500 })]) {
      const response = await fetch(url);
      const text = await response.text();
      assert.equal(text, JSON.stringify(success(data)));
      assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)));
    }
  });

  it('handles a client that disconnects in the middle', async () => {
    data = {
      dataMap: {
        ...many,
        ...Object.fromEntries(
          Object.entries(many).map(([k, v]) => [`x${k}`, { v, pad: 'x'.repeat(2_000) }]),
        ),
      },
    };
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal });
    leaving.abort();
    await assert.rejects(response.text());
    data = null;
    assert.equal(await (await fetch(url)).text(), JSON.stringify(success(null)));
  });
});
