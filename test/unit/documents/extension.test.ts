import assert from 'node:assert/strict';
import { checkGenerated, documentText, quoted, tableBelow } from '../../support/documents';

interface Manifest {
  contributes: {
    configuration: { properties: Record<string, { default: unknown }> };
    commands: { command: string; title: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
    views: Record<string, { name: string }[]>;
  };
}

const FILE = 'extension/README.md';
const text = documentText(FILE);
const { contributes } = JSON.parse(documentText('package.json')) as Manifest;
const texts = JSON.parse(documentText('package.nls.json')) as Record<string, string>;
const shown = (name: string): string => name.replace(/^%(.*)%$/, (_, key: string) => texts[key]!);

function commandTable(): string {
  const hidden = new Set(
    contributes.menus.commandPalette
      .filter((one) => one.when === 'false')
      .map((one) => one.command),
  );
  const rows = contributes.commands.map(({ command, title }) => {
    const place = hidden.has(command) ? 'menu' : 'palette';
    return `| ${shown(title)} | \`${command}\` | ${place} |`;
  });
  return ['| command | id | where |', '| --- | --- | --- |', ...rows].join('\n');
}

describe('extension/README.md', () => {
  it('lists every command, which UPDATE_GOLDENS=1 writes', () => {
    checkGenerated(FILE, 'commands', commandTable());
  });

  it('lists every setting with its default, and no other', () => {
    const documented = tableBelow(text, '| setting | meaning | default |');
    const expected = Object.entries(contributes.configuration.properties).map(([name, one]) => [
      name,
      // An empty directory stands for this one.
      name === 'forklens.service.dataDirectory' ? '~/.forklens' : String(one.default),
    ]);
    const rows = documented.map(([name, , value]) => [quoted(name!)[0], quoted(value!)[0] ?? '']);
    assert.deepEqual(rows, expected);
  });

  it('lists every view, and no other', () => {
    const views = Object.values(contributes.views)
      .flat()
      .map(({ name }) => shown(name));
    assert.deepEqual(
      tableBelow(text, '| view | what it shows |').map(([name]) => name),
      views,
    );
  });
});
