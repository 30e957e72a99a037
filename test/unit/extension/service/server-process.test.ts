import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { normalizeUrl, RemoteService } from '../../../../extension/service/remote-service';
import { RestartPolicy } from '../../../../extension/service/restart-policy';
import { parseLogLine } from '../../../../extension/service/service-log';
import { NODE_ARGUMENTS } from '../../../../extension/service/service-process';
import { statusView } from '../../../../extension/service/status';
import { silentLog } from '../support';

describe('service log', () => {
  it('parses a JSON line with its details', () => {
    const line = '{"level":30,"time":1,"pid":2,"hostname":"h","msg":"request","status":200}';
    assert.deepEqual(parseLogLine(line), { level: 'info', message: 'request {"status":200}' });
  });

  it('keeps only the message of an error, because users may see it', () => {
    const line = '{"level":60,"msg":"cannot start","err":{"stack":"at main"}}';
    assert.deepEqual(parseLogLine(line), { level: 'error', message: 'cannot start' });
  });

  it('keeps any other line unchanged', () => {
    assert.deepEqual(parseLogLine('Segmentation fault'), {
      level: 'plain',
      message: 'Segmentation fault',
    });
  });
});

describe('arguments of Node', () => {
  it('are the same for the service of the editor, and of `npm start`', () => {
    const file = path.join(__dirname, '../../../../package.json');
    const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as {
      scripts: Record<string, string>;
    };
    const node = `node ${NODE_ARGUMENTS.join(' ')}`;
    assert.equal(scripts['start'], `exec ${node} dist/server.js`);
  });
});

describe('restart policy', () => {
  it('waits longer after each crash, and stops after five in five minutes', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    const delays = Array.from({ length: 6 }, () => policy.afterCrash()?.delayMs);
    assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, undefined]);
    now = 5 * 60_000;
    assert.deepEqual(policy.afterCrash(), { attempt: 1, delayMs: 500 });
  });

  it('starts over after a manual start', () => {
    const policy = new RestartPolicy(() => 0);
    policy.afterCrash();
    policy.reset();
    assert.deepEqual(policy.afterCrash(), { attempt: 1, delayMs: 500 });
  });
});

describe('remote service', () => {
  it('accepts http and https URLs, and removes everything after the base', () => {
    assert.equal(
      normalizeUrl(' https://forks.example.com/team/ '),
      'https://forks.example.com/team',
    );
    assert.equal(normalizeUrl('http://user:secret@127.0.0.1:8787?x=1#y'), 'http://127.0.0.1:8787');
    for (const text of ['', 'example.com', 'ftp://example.com', 'javascript:alert(1)']) {
      assert.equal(normalizeUrl(text), undefined, text);
    }
  });

  it('reports a missing URL without a request', async () => {
    const service = new RemoteService('', silentLog);
    assert.deepEqual(service.state, {
      kind: 'notConfigured',
      message:
        'no remote service is set; accepted for forklens.service.url: an http:// or https:// URL',
    });
    await assert.rejects(service.connect(), { reason: 'notConfigured' });
  });

  it('fails if nothing answers, until it is tried again', async () => {
    const service = new RemoteService('http://127.0.0.1:1', silentLog);
    await assert.rejects(service.connect(), { reason: 'unreachable' });
    assert.equal(service.state.kind, 'failed');
    await assert.rejects(service.start(), { reason: 'unreachable' });
  });
});

describe('status bar', () => {
  it('shows the state with words and an icon', () => {
    assert.deepEqual(
      statusView({ kind: 'running', url: 'http://127.0.0.1:8787', ownership: 'attached' }),
      {
        text: '$(repo-forked) Forklens',
        tooltip:
          'The service runs at http://127.0.0.1:8787 (shared with the window that started it).',
        severity: 'normal',
      },
    );
    assert.deepEqual(statusView({ kind: 'starting', attempt: 2 }), {
      text: '$(loading~spin) Forklens',
      tooltip: 'The service ended unexpectedly and is being restarted (attempt 2)…',
      severity: 'warning',
    });
  });
});
