import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type Answer, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('a case file', function () {
  this.timeout(120_000);
  let folder: string;
  let file: string;
  let written: WrittenCase;
  const hash = sandboxHash('swap-two-hops');
  const expected = new Map<string, unknown>();

  before(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'swap.forklens');
    const online = await startService({ counted: true, args: ['--sandbox'] });
    try {
      const path = `/v1/explorer/sandbox/transaction/${hash}/case`;
      const { code, message, data } = await online.request<WrittenCase>('POST', path, {
        body: { file },
      });
      assert.equal(code, 0, message);
      written = data;
      for (const one of paths('sandbox')) expected.set(one, await bodyOf(online, one));
    } finally {
      await online.stop();
    }
  });
  after(() => removeDirectory(folder));

  const paths = (chain: string): string[] =>
    [
      '/analysis',
      '/source-locations',
      '/recording',
      '/recording/calls',
      '/recording/conditions',
      '/invocation-flow',
      '/balance-change',
      '/fund-flow',
      '/state-diff',
      '/gas-profile',
    ].map((view) => `/v1/explorer/${chain}/transaction/${hash}${view}`);

  it('is smaller than 1 MB for a swap', async () => {
    const { size } = await stat(file);
    assert.equal(written.bytes, size);
    assert.ok(size < 1_000_000, `${size} bytes`);
  });

  it('has the same views, byte for byte, without its chain', async () => {
    const offline = await startService({ counted: true });
    try {
      const { data: open, message } = await offline.request<OpenCaseView>('POST', '/v1/case', {
        body: { file },
      });
      assert.equal(message, 'OK');
      assert.equal(open.transaction, hash);
      const online = paths('sandbox');
      for (const [index, path] of paths(open.chain).entries()) {
        // The name of the chain is all that is different.
        const body = (await bodyOf(offline, path)).replaceAll(open.chain, 'sandbox');
        assert.equal(body, expected.get(online[index] ?? ''), path);
      }
    } finally {
      await offline.stop();
    }
  });
});

async function bodyOf(service: TestService, path: string): Promise<string> {
  const { code, message, data }: Answer = await service.request('GET', path);
  assert.equal(code, 0, `${path}: ${message}`);
  return JSON.stringify(data);
}
