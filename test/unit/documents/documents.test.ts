import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCUMENTS, documentText, ROOT } from '../../support/documents';

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

describe('the documents', () => {
  it('are all known to these tests', () => {
    const found = ['.', 'server', 'server/deploy', 'extension', 'test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name)),
    );
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
