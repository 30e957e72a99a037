import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fork } from '../../server/api/fork';
import { CommandLine } from '../support/command-line';
import { itWith } from '../support/programs';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const PROGRAM = join(__dirname, '../../dist/cli.js');

describe('completion of the command line in a shell', function () {
  this.timeout(60_000);
  let service: TestService;
  let home: string;
  let fork: Fork;

  before(async () => {
    home = await makeTemporaryDirectory();
    service = await startService({ args: ['--sandbox'] });
    fork = await createFork(service, { chainId: 31337, name: 'before' });
    const bin = join(home, 'bin');
    await mkdir(bin);
    const text = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
    await writeFile(join(bin, 'forklens'), text, { mode: 0o755 });
  });
  after(async () => {
    await service.stop();
    await removeDirectory(home);
  });

  /** Writes the completion script of a shell. @returns its path */
  async function script(shell: string, name: string): Promise<string> {
    const file = join(home, name);
    const text = await new CommandLine(home).text('completion', shell);
    await writeFile(file, `${text}\n`);
    return file;
  }

  /** Runs lines in a shell without the user's own settings. @returns their output */
  async function run(
    [shell, ...options]: [string, ...string[]],
    lines: readonly string[],
  ): Promise<string> {
    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: home,
      FORKLENS_DATA_DIR: service.dataDir,
      TERM: 'dumb',
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    };
    const args = [...options, '-c', lines.join('\n')];
    const { stdout } = await promisify(execFile)(shell, args, { env, timeout: 30_000 });
    return stdout;
  }

  it('works in bash', async () => {
    const file = await script('bash', 'completion.bash');
    const stdout = await run(
      ['bash'],
      [
        `source "${file}"`,
        'COMP_WORDS=(forklens fork show fork_); COMP_CWORD=3; _forklens',
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ],
    );
    assert.equal(stdout, `${fork.forkId}\n`);
  });

  itWith(['fish'], 'works in fish', async () => {
    const file = await script('fish', 'completion.fish');
    const stdout = await run(
      ['fish', '--no-config'],
      [
        `source "${file}"`,
        'complete -C "forklens fork show fork_"',
        'complete -C "forklens fork cop"',
        `cd "${home}"; complete -C "forklens tx export eth 0x --output completion.f"`,
      ],
    );
    assert.deepEqual(stdout.split('\n'), [
      `${fork.forkId}\tbefore (sandbox)`,
      'copy-as\tprint how a tool connects to a fork; the address is a credential',
      'completion.fish',
      '',
    ]);
  });

  /** Types into an interactive zsh and waits for the completion. */
  const typed = (setUp: string, text: string, completed: string): string[] => [
    'zmodload zsh/zpty',
    'zpty shell zsh -f -i',
    `zpty -w shell '${setUp}; print -r -- set""up'`,
    "zpty -r shell seen '*setup*'",
    `zpty -w -n shell '${text}'$'\\t'`,
    `zpty -r shell seen '*${completed}*'`,
    `[[ $seen == *'${completed}'* ]] && print -r -- '${completed}'`,
    'zpty -d shell',
  ];

  for (const [how, load] of [
    ['sourced', (file: string) => `source "${file}"`],
    ['from a folder of fpath', () => 'fpath=($HOME $fpath)'],
  ] as [string, (file: string) => string][]) {
    itWith(['zsh'], `works in zsh, ${how}`, async () => {
      const file = await script('zsh', '_forklens');
      const compinit = 'autoload -Uz compinit; compinit -u -D';
      const parts = how === 'sourced' ? [compinit, load(file)] : [load(file), compinit];
      const lines = typed(parts.join('; '), 'forklens fork show fork_', fork.forkId);
      assert.equal(await run(['zsh', '-f'], lines), `${fork.forkId}\n`);
    });
  }
});
