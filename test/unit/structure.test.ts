import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { ROOT, shippedSources } from '../support/shipped-sources';
import { importFault, FOLDERS } from '../structure/folders.mjs';

const GUIDE = join(ROOT, 'CONTRIBUTING.md');
const BEGIN = '<!-- table: made by test/unit/structure.test.ts -->';
const END = '<!-- end of table -->';

const sources = shippedSources();

/** Specifiers of all imports, those of types and on demand as well. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** `api, ethereum` for a folder beside them, and whole names of the folders of another side. */
const shownImports = (name: string, imports: readonly string[]): string => {
  const side = name.split('/')[0] === 'media' ? 'media/inspector' : (name.split('/')[0] ?? '');
  return imports
    .map((other) => (other.startsWith(`${side}/`) ? other.slice(side.length + 1) : other))
    .map((other) => (other === '**' ? 'all' : other))
    .join(', ');
};

const table = [
  '| folder | what it is for | imports |',
  '| --- | --- | --- |',
  ...FOLDERS.map(
    ({ name, purpose, imports }) =>
      `| \`${name}/\` | ${purpose} | ${shownImports(name, imports)} |`,
  ),
].join('\n');

describe('the folders', () => {
  it('are all folders with code, each once', () => {
    const folders = new Set(sources.map((file) => posix.dirname(file)));
    assert.deepEqual(FOLDERS.map(({ name }) => name).sort(), [...folders].sort());
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
    const named = FOLDERS.flatMap(({ name, imports }) =>
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
      const folder = FOLDERS.find((one) => one.name === name);
      for (const other of folder?.imports ?? []) {
        if (!other.endsWith('/**')) visit(other, [...path, name]);
      }
      done.add(name);
    };
    for (const { name } of FOLDERS) visit(name, []);
  });

  it('refuse imports that no row allows', () => {
    assert.equal(
      importFault('server/api/fork.ts', '../forks/forks'),
      'server/api may import no other folder, but not server/forks',
    );
    assert.equal(
      importFault('server/forks/forks.ts', 'express'),
      'server/forks may not use express',
    );
    assert.equal(
      importFault('server/analysis/views/labels.ts', 'node:fs/promises'),
      'server/analysis/views may not use node:fs/promises',
    );
    assert.equal(importFault('server/forks/forks.ts', './writes/journal'), undefined);
  });

  it('are in CONTRIBUTING.md, which UPDATE_GOLDENS=1 writes', async () => {
    const text = await readFile(GUIDE, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [written, after] = rest.split(END) as [string, string];
    if (process.env['UPDATE_GOLDENS'] !== undefined) {
      await writeFile(GUIDE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
      return;
    }
    assert.equal(written.trim(), table);
  });
});
