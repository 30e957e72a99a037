import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createApiClient } from '../../../server/api/client';
import { failure, success } from '../../../server/api/envelope';
import { ApiError } from '../../../server/api/errors';
import type { Progress } from '../../../server/api/progress';
import { EventStream } from '../../../server/http/event-stream';

const STEPS: Progress[] = [
  { stage: 'replaying transactions', done: 1, total: 2 },
  { stage: 'replaying "transactions"\n\n', done: 2, total: 2 },
];

describe('an operation with an event stream', () => {
  let server: Server;
  let url: string;
  let work: (events: EventStream | undefined) => void;
  let answered: boolean;

  before(async () => {
    const app = express();
    app.get('/v1/chains', (request, response) => {
      const events = EventStream.open(request, response);
      answered = events === undefined;
      if (!events) response.json(success([]));
      work(events);
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const client = () => createApiClient(() => Promise.resolve({ baseUrl: url, accessKey: 'k' }));

  it('sends the progress, then the result', async () => {
    work = (events) => {
      for (const step of STEPS) events?.progress(step);
      events?.end(success([]));
    };
    const progress: Progress[] = [];
    assert.deepEqual(
      await client().call('listChains', {}, { onProgress: (step) => progress.push(step) }),
      [],
    );
    assert.deepEqual(progress, STEPS);
  });

  it('sends a failure in the envelope', async () => {
    work = (events) => void events?.end(failure(40402, 'fork "x" does not exist'));
    await assert.rejects(
      client().call('listChains', {}, { onProgress: () => undefined }),
      (error) => error instanceof ApiError && error.kind === 'forkNotFound',
    );
  });

  it('fails if the stream ends before the result', async () => {
    work = (events) => {
      events?.progress({ stage: 's', done: 0, total: 1 });
      server.closeAllConnections();
    };
    await assert.rejects(
      client().call('listChains', {}, { onProgress: () => undefined }),
      (error) => error instanceof ApiError && error.kind === 'internal',
    );
  });

  it('answers plain JSON to clients that do not request events', async () => {
    work = () => undefined;
    assert.deepEqual(await client().call('listChains', {}), []);
    assert.equal(answered, true);
    for (const accept of ['*/*', 'application/json, text/event-stream;q=0.5', 'text/html, */*']) {
      const response = await fetch(`${url}/v1/chains`, { headers: { accept } });
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    }
    work = (events) => void events?.end(success([]));
    const response = await fetch(`${url}/v1/chains`, { headers: { accept: 'text/event-stream' } });
    assert.equal(
      await response.text(),
      'event: result\ndata: {"code":0,"message":"OK","data":[]}\n\n',
    );
  });
});
