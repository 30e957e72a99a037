import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { ROOT, shippedSources } from '../support/shipped-sources';
import { importFault, FOLDERS, SERVER_WINGS } from '../structure/folders.mjs';

const GUIDE = join(ROOT, 'CONTRIBUTING.md');
const BEGIN = '<!-- table: made by test/unit/structure.test.ts -->';
const END = '<!-- end of table -->';

const sources = shippedSources();

/** Specifiers of all imports, those of types and on demand as well. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The wing of a folder of the service; undefined for the entry of the process, and for folders elsewhere. */
const wingOf = (folder: string): string | undefined =>
  folder.startsWith('server/') ? folder.split('/')[1] : undefined;

/** The wings that a wing imports, in the order of the table. */
const importsOfWing = (wing: string): string[] => {
  const imported = FOLDERS.filter(({ name }) => wingOf(name) === wing)
    .flatMap(({ imports }) => imports)
    .map(wingOf);
  const all = FOLDERS.some(
    ({ name, imports }) => wingOf(name) === wing && imports.includes('server/**'),
  );
  return SERVER_WINGS.map(([name]) => name).filter(
    (name) => name !== wing && (imported.includes(name) || (all && name !== 'cli')),
  );
};

const table = [
  '| wing of `server/` | what it is for | imports |',
  '| --- | --- | --- |',
  ...SERVER_WINGS.map(([name, purpose]) => {
    const imports = importsOfWing(name);
    const shown = imports.length > 15 ? 'all' : imports.join(', ');
    return `| \`${name}/\` | ${purpose} | ${shown} |`;
  }),
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

  it('belong to wings of the service, each of which imports only wings before it', () => {
    const wings = SERVER_WINGS.map(([name]) => name);
    const found = FOLDERS.flatMap(({ name }) => wingOf(name) ?? []);
    assert.deepEqual([...new Set(found)].sort(), [...wings].sort());
    for (const [place, wing] of wings.entries()) {
      const later = importsOfWing(wing).filter((other) => wings.indexOf(other) > place);
      assert.deepEqual(
        later,
        wing === 'composition' ? ['cli'].filter((other) => later.includes(other)) : [],
        wing,
      );
    }
  });

  it('of a language are imported by the choice of the language alone', () => {
    const root = 'server/debugger/languages';
    const isOfLanguage = (name: string): boolean =>
      name.startsWith(`${root}/`) && name !== `${root}/port`;
    const languages = new Set(FOLDERS.map(({ name }) => name).filter(isOfLanguage));
    assert.ok(languages.size > 0);
    const importing = FOLDERS.filter(({ name }) => !isOfLanguage(name)).filter(({ imports }) =>
      imports.some(isOfLanguage),
    );
    assert.deepEqual(
      importing.map(({ name }) => name),
      [root],
    );
    assert.equal(
      importFault(
        'server/debugger/answers/variables.ts',
        '../languages/solidity/variables/step-variables',
      )?.split(',')[0],
      'server/debugger/answers may import server/api',
    );
  });

  it('refuse imports that no row allows', () => {
    assert.equal(
      importFault('server/api/fork.ts', '../forks/life/forks'),
      'server/api may import no other folder, but not server/forks/life',
    );
    assert.equal(
      importFault('server/forks/life/forks.ts', 'express'),
      'server/forks/life may not use express',
    );
    assert.equal(
      importFault('server/analysis/views/labels.ts', 'node:fs/promises'),
      'server/analysis/views may not use node:fs/promises',
    );
    assert.equal(importFault('server/forks/life/forks.ts', '../writes/journal'), undefined);
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
