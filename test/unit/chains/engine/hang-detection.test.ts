import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilItHangs } from '../../../../server/chains/engine/hang-detection';

describe('an engine that hangs', () => {
  const server = createServer();
  let url: string;
  let unanswered: ServerResponse[];
  let watched: AbortController;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    unanswered = [];
    watched = new AbortController();
    server.removeAllListeners('request');
  });
  afterEach(() => {
    watched.abort();
    server.closeAllConnections();
  });
  after(() => server.close());

  // An answer has to arrive in time on a busy machine, too.
  const pulseTiming = { everyMs: 1, answerMs: 1_500, times: 3, idleMs: 100 };
  const watch = (isWaiting = () => false): Promise<void> =>
    untilItHangs({
      url,
      pid: process.pid,
      isCalled: () => false,
      isWaiting,
      signal: watched.signal,
      pulseTiming,
    });
  const answer = (response: ServerResponse): void => {
    response.end('{"jsonrpc":"2.0","id":0,"result":"anvil/v1.5.1"}');
  };

  it('ends after several unanswered probes in a row', async () => {
    let asked = 0;
    server.on('request', (_, response) => {
      asked++;
      if (asked === 2) answer(response);
      else unanswered.push(response);
    });
    await watch();
    assert.equal(asked, 5, 'one failure, an answer, and three failures in a row');
  });

  it('continues while the engine waits for its chain', async () => {
    let asked = 0;
    server.on('request', (_, response) => {
      asked++;
      unanswered.push(response);
    });
    await watch(() => asked < 4);
    assert.equal(asked, 6);
  });

  it('ends when the engine has ended', async () => {
    const asked = once(server, 'request');
    server.on('request', (_, response) => unanswered.push(response));
    const watching = watch();
    await asked;
    watched.abort(new Error('it ended'));
    await assert.rejects(watching, /it ended/);
  });
});
