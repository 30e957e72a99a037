import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runWhenIdle } from '../../../server/http/run-when-idle';

const NOW = 1;
const never = (error: unknown): void => assert.fail(String(error));

describe('a task of an idle server', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('runs once', async () => {
    let runs = 0;
    await new Promise<void>((resolve) => {
      const work = (): Promise<void> => {
        runs++;
        resolve();
        return Promise.resolve();
      };
      runWhenIdle(server, work, never, NOW);
    });
    await fetch(url);
    assert.equal(runs, 1);
    assert.equal(server.listenerCount('request'), 1);
  });

  it('is interrupted by a request or a call, and restarts', async () => {
    const signals: AbortSignal[] = [];
    let began = (): void => undefined;
    const beginning = (): Promise<void> => new Promise((resolve) => (began = resolve));
    const work = (signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      began();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    };
    let begun = beginning();
    const { interrupt, stop } = runWhenIdle(server, work, never, NOW);
    await begun;
    begun = beginning();
    await fetch(url);
    await begun;
    begun = beginning();
    interrupt();
    await begun;
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true, false],
    );
    await stop();
    assert.equal(signals[2]?.aborted, true);
    assert.equal(server.listenerCount('request'), 1);
  });

  it('waits for an answer in the making', async () => {
    let [runs, runsBefore] = [0, -1];
    server.removeAllListeners('request').on('request', (_, response) => {
      void (async () => {
        for (const end = performance.now() + 200; performance.now() < end;) await nextTurn();
        runsBefore = runs;
        response.end();
      })();
    });
    const ran = new Promise<void>((resolve) => {
      const work = (): Promise<void> => {
        runs++;
        resolve();
        return Promise.resolve();
      };
      const answer = fetch(url);
      server.once('request', () => runWhenIdle(server, work, never, 20));
      answer.catch(never);
    });
    await ran;
    assert.deepEqual([runsBefore, runs], [0, 1]);
  });

  it('is reported if it fails, and not repeated', async () => {
    const failure = new Error('broken');
    let runs = 0;
    const reported = await new Promise((resolve) => {
      const work = (): Promise<void> => {
        runs++;
        return Promise.reject(failure);
      };
      runWhenIdle(server, work, resolve, NOW);
    });
    assert.equal(reported, failure);
    await fetch(url);
    assert.equal(runs, 1);
    assert.equal(server.listenerCount('request'), 1);
  });
});
