import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCUMENTS, documentText, RECORDS, ROOT } from '../../support/documents';

const { scripts } = JSON.parse(documentText('package.json')) as { scripts: Record<string, string> };

/** The name that GitHub gives to a heading in links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchors = (text: string): string[] =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    anchorOf(title!),
  );

const documentsIn = (folder: string, options: { recursive?: boolean } = {}): string[] =>
  readdirSync(join(ROOT, folder), { ...options, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

describe('the documents', () => {
  it('are all known to these tests', () => {
    const found = ['.', 'test'].flatMap((folder) => documentsIn(folder));
    for (const folder of ['server', 'extension', 'media']) {
      found.push(...documentsIn(folder, { recursive: true }));
    }
    assert.deepEqual(found.sort(), [...DOCUMENTS].sort());
  });

  for (const file of DOCUMENTS) {
    it(`${file} links to files and headings that exist`, () => {
      const text = documentText(file).replace(/^```[^]*?^```/gm, '');
      for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(link!)) continue;
        const [path, fragment] = link!.split('#') as [string, string | undefined];
        const target = path === '' ? file : join(dirname(file), path);
        assert.ok(existsSync(join(ROOT, target)), `${link} has no target`);
        if (fragment === undefined) continue;
        assert.ok(anchors(documentText(target)).includes(fragment), `${link}: no such heading`);
      }
    });

    it(`${file} runs scripts that exist`, () => {
      for (const [, name] of documentText(file).matchAll(/npm run (?:-s )?([a-z][\w:]*)/g)) {
        assert.ok(Object.hasOwn(scripts, name!), `npm run ${name}`);
      }
    });
  }

  it('have a guide for contributors of at most 2,500 words, which names every decision', () => {
    const guide = documentText('CONTRIBUTING.md');
    const words = guide.split(/\s+/).filter(Boolean).length;
    assert.ok(words <= 2500, `CONTRIBUTING.md has ${words} words`);
    const pages = guide.split(/^(?=##+ )/m).filter((page) => page.startsWith('### '));
    assert.ok(pages.length >= 9);
    for (const page of pages) assert.ok(page.trimEnd().split('\n').length <= 15, page);
    for (const file of RECORDS) {
      for (const title of anchors(documentText(file)).slice(1)) {
        assert.ok(guide.includes(`(${file}#${title})`), `${file}#${title}`);
      }
    }
  });

  it('have a guide for contributors that names folders and files that exist', () => {
    const names = [
      ...documentText('CONTRIBUTING.md').matchAll(/`((?:server|extension|media|test)\/[\w./-]*)`/g),
    ].map(([, name]) => name!);
    assert.ok(names.length >= 50);
    for (const name of names) assert.ok(existsSync(join(ROOT, name)), name);
  });

  it('have a record for each decision: context, choice, cost, and what would change it', () => {
    for (const file of RECORDS) {
      const [, ...decisions] = documentText(file).split(/^## /m);
      assert.ok(decisions.length > 0, file);
      for (const decision of decisions) {
        const parts = [...decision.matchAll(/^\*\*([^*]+)\.\*\* \S|^\*\*([^*]+)\.\*\*$/gm)].map(
          ([, inline, alone]) => inline ?? alone,
        );
        const expected = ['Context', 'Choice', 'Cost', 'What would change it'];
        const found = parts.filter((part) => expected.includes(part!));
        assert.deepEqual(found, expected, `${file}: ${decision.split('\n')[0]!}`);
      }
    }
  });

  it('have a README that a newcomer finishes, with pictures', () => {
    const readme = documentText('README.md');
    assert.ok(readme.trimEnd().split('\n').length <= 150);
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\((media\/[^)]+)\)/g)].map(
      ([, path]) => path!,
    );
    assert.ok(pictures.length >= 3);
    const moving = pictures.filter((path) => path.endsWith('.gif'));
    assert.equal(moving.length, 1);
    assert.ok(statSync(join(ROOT, moving[0]!)).size <= 1.5e6);
  });
});
