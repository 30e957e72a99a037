import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe as described } from '../../../server/cli/program/build-program';
import {
  argumentText,
  optionText,
  type CommandSpec,
} from '../../../server/cli/command-specs/command';
import { COMMANDS, EXIT_CODES, TOPICS } from '../../../server/cli/command-specs/commands';
import { GLOBAL_OPTIONS } from '../../../server/cli/command-specs/global-options';

const REFERENCE = new URL('../../../server/CLI.md', import.meta.url);
const BEGIN = '<!-- commands: made by test/unit/cli/reference.test.ts -->';
const END = '<!-- end of commands -->';

const commands: [string, CommandSpec][] = Object.entries(COMMANDS);

const lineOf = (name: string, spec: CommandSpec): string =>
  [name, ...Object.entries(spec.arguments).map(([n, one]) => argumentText(n, one))].join(' ');

const optionsOf = ({ options }: CommandSpec): string =>
  Object.entries(options)
    .map(([name, option]) => `\`${optionText(name, option)}\``)
    .join(', ');

const reference = [
  '| command | what it does | options |',
  '| --- | --- | --- |',
  ...commands.map(
    ([name, spec]) => `| \`${lineOf(name, spec)}\` | ${spec.summary} | ${optionsOf(spec)} |`,
  ),
  '',
  '| option of every command | |',
  '| --- | --- |',
  ...Object.entries(GLOBAL_OPTIONS).map(
    ([name, option]) => `| \`${optionText(name, option)}\` | ${described(option)} |`,
  ),
  '',
  '| exit code | |',
  '| ---: | --- |',
  ...EXIT_CODES.map(([code, meaning]) => `| ${code} | ${meaning} |`),
].join('\n');

const plain = (text: string): string =>
  text
    .replace(/-{3,}:?/g, '---')
    .replace(/ +/g, ' ')
    .trim();

describe('the commands', () => {
  it('are listed in the reference, which UPDATE_GOLDENS=1 regenerates', async () => {
    const text = await readFile(REFERENCE, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [written, after] = rest.split(END) as [string, string];
    if (process.env['UPDATE_GOLDENS'] !== undefined) {
      await writeFile(REFERENCE, `${before}${BEGIN}\n\n${reference}\n\n${END}${after}`);
      return;
    }
    assert.equal(plain(written), plain(reference));
  });

  it('have examples with existing commands and options', () => {
    for (const [name, { examples }] of commands) {
      for (const [line] of examples) {
        const own = line.slice(line.lastIndexOf('forklens '));
        const text = /^forklens ([^|>)<$]*)/.exec(own)?.[1]?.split(' -- ')[0] ?? '';
        const words = text.trim().split(/\s+/);
        const known = [3, 2, 1].map((count) => words.slice(0, count).join(' '));
        const found =
          known.find((one) => one in COMMANDS) ?? (words[0] === 'tx' ? 'tx analyze' : '');
        assert.ok(found in COMMANDS, `${name}: ${line}`);
        const { options } = COMMANDS[found as keyof typeof COMMANDS] as CommandSpec;
        const taken = Object.entries({ ...GLOBAL_OPTIONS, ...options }).flatMap(([one, option]) =>
          optionText(one, option).split(/[ ,]+/),
        );
        for (const word of words.filter((one) => /^--?[a-z]/.test(one))) {
          assert.ok(taken.includes(word), `${name}: ${word} in ${line}`);
        }
      }
    }
  });

  it('have one-line summaries, and no option that hides a global one', () => {
    for (const [name, { summary, options }] of commands) {
      assert.match(summary, /^[a-z][^\n]{5,}[^.]$/, name);
      for (const option of Object.keys(options)) {
        assert.ok(!(option in GLOBAL_OPTIONS), `${name} --${option}`);
      }
    }
  });
});

describe('the help of the command line', () => {
  it('has each command under one heading', () => {
    const words = new Set(commands.map(([name]) => name.split(' ', 1)[0]));
    assert.deepEqual(Object.values(TOPICS).flat().toSorted(), [...words].toSorted());
  });
});
