import assert from 'node:assert/strict';
import { CommandLine } from '../support/command-line';
import { runCli } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('sandbox list', function () {
  this.timeout(60_000);
  const list = async (...args: string[]): Promise<string> =>
    (await runCli('sandbox', 'list', ...args)).stdout;

  it('prints text', async () => {
    assert.match(await list(), /^ 5:0 {2}create-contract +0x[0-9a-f]{64}\n {6}Bob deploys/);
  });

  it('prints JSON', async () => {
    const story = JSON.parse(await list('--json')) as unknown[];
    assert.equal(story.length, 61);
    assert.deepEqual(Object.keys(story[0] as object), [
      'id',
      'title',
      'shows',
      'fails',
      'hash',
      'blockNumber',
      'position',
    ]);
  });
});

describe('a fork of the built-in chain, in a service without it', function () {
  this.timeout(60_000);
  let home: string;
  before(async () => {
    home = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(home));

  it('is refused with the option that is missing', async () => {
    const cli = new CommandLine(home, { FORKLENS_DATA_DIR: home });
    const { code, stderr } = await cli.run(['fork', 'create', 'sandbox']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: <chain> is "sandbox"; accepted: eth, .*; a service with the built-in chain is started by --sandbox$/m,
    );
  });
});
