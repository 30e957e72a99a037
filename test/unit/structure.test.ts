import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import ts from 'typescript';
import { importFault, ROOMS } from '../structure/rooms.mjs';

const ROOT = resolve(__dirname, '../..');
const GUIDE = join(ROOT, 'CONTRIBUTING.md');
const BEGIN = '<!-- table: made by test/unit/structure.test.ts -->';
const END = '<!-- end of table -->';

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'server', 'extension', 'media'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file));

/** Specifiers of all imports, those of types and on demand as well. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** `api, ethereum` for a room beside them, and whole names of the rooms of another side. */
const shownImports = (name: string, imports: readonly string[]): string => {
  const side = name.split('/')[0] === 'media' ? 'media/inspector' : (name.split('/')[0] ?? '');
  return imports
    .map((other) => (other.startsWith(`${side}/`) ? other.slice(side.length + 1) : other))
    .map((other) => (other === '**' ? 'all' : other))
    .join(', ');
};

const table = [
  '| room | what it is for | imports |',
  '| --- | --- | --- |',
  ...ROOMS.map(
    ({ name, purpose, imports }) =>
      `| \`${name}/\` | ${purpose} | ${shownImports(name, imports)} |`,
  ),
].join('\n');

describe('the rooms', () => {
  it('are all folders with code, each once', () => {
    const folders = new Set(sources.map((file) => posix.dirname(file)));
    assert.deepEqual(ROOMS.map(({ name }) => name).sort(), [...folders].sort());
  });

  it('import what their rows say, and no row says more', async () => {
    const faults: string[] = [];
    const used = new Set<string>();
    for (const file of sources) {
      for (const specifier of await importsOf(file)) {
        const fault = importFault(file, specifier);
        if (fault !== undefined) faults.push(`${file}: ${fault}`);
        const target = posix.dirname(posix.join(posix.dirname(file), specifier));
        if (specifier.startsWith('.')) used.add(`${posix.dirname(file)} > ${target}`);
      }
    }
    assert.deepEqual(faults, []);
    const named = ROOMS.flatMap(({ name, imports }) =>
      imports.filter((other) => !other.endsWith('/**')).map((other) => `${name} > ${other}`),
    );
    assert.deepEqual(
      named.filter((one) => !used.has(one)),
      [],
    );
  });

  it('form no circle', () => {
    const done = new Set<string>();
    const visit = (name: string, path: readonly string[]): void => {
      assert.ok(!path.includes(name), [...path, name].join(' > '));
      if (done.has(name)) return;
      const room = ROOMS.find((one) => one.name === name);
      for (const other of room?.imports ?? []) {
        if (!other.endsWith('/**')) visit(other, [...path, name]);
      }
      done.add(name);
    };
    for (const { name } of ROOMS) visit(name, []);
  });

  it('refuse imports that no row allows', () => {
    assert.equal(
      importFault('server/api/fork.ts', '../forks/forks'),
      'server/api may import no other room, but not server/forks',
    );
    assert.equal(
      importFault('server/forks/forks.ts', 'express'),
      'server/forks may not use express',
    );
    assert.equal(
      importFault('server/analysis/views.ts', 'node:fs/promises'),
      'server/analysis may not use node:fs/promises',
    );
    assert.equal(importFault('server/forks/forks.ts', './writes/journal'), undefined);
  });

  it('are in CONTRIBUTING.md, which UPDATE_GOLDENS=1 writes', async () => {
    const text = await readFile(GUIDE, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [told, behind] = rest.split(END) as [string, string];
    if (process.env['UPDATE_GOLDENS'] !== undefined) {
      await writeFile(GUIDE, `${before}${BEGIN}\n\n${table}\n\n${END}${behind}`);
      return;
    }
    assert.equal(told.trim(), table);
  });
});
