import assert from 'node:assert/strict';
import { runCli } from '../support/service';

describe('sandbox list', function () {
  this.timeout(20_000);
  const list = async (...args: string[]): Promise<string> =>
    (await runCli('sandbox', 'list', ...args)).stdout;

  it('prints text', async () => {
    assert.match(await list(), /^ 5:0 {2}create-contract +0x[0-9a-f]{64}\n {6}Bob deploys/);
  });

  it('prints JSON', async () => {
    const story = JSON.parse(await list('--json')) as unknown[];
    assert.equal(story.length, 51);
    assert.deepEqual(Object.keys(story[0] as object), [
      ...['id', 'title', 'shows', 'fails', 'hash', 'blockNumber', 'position'],
    ]);
  });
});
