import assert from 'node:assert/strict';
import { Command } from 'commander';
import { registerSandboxCommands } from '../../../server/cli/sandbox';
import { compileTestContracts } from '../../support/sandbox';

describe('sandbox list', () => {
  before(compileTestContracts);

  function run(...args: string[]): string {
    const lines: string[] = [];
    const { log } = console;
    console.log = (line: string) => lines.push(line);
    try {
      const program = new Command().option('--json').exitOverride();
      registerSandboxCommands(program);
      program.parse(args, { from: 'user' });
    } finally {
      console.log = log;
    }
    return lines.join('\n');
  }

  it('prints text', () => {
    assert.match(
      run('sandbox', 'list'),
      /^ 5:0 {2}create-contract +0x[0-9a-f]{64}\n {6}Bob deploys/,
    );
  });

  it('prints JSON', () => {
    const story = JSON.parse(run('--json', 'sandbox', 'list')) as unknown[];
    assert.equal(story.length, 51);
    assert.deepEqual(JSON.parse(run('sandbox', 'list', '--json')), story);
    assert.deepEqual(Object.keys(story[0] as object), [
      ...['id', 'title', 'shows', 'fails', 'hash', 'blockNumber', 'position'],
    ]);
  });
});
