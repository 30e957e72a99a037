import { getL10nJson } from '@vscode/l10n-dev';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

describe('the texts of the extension, its webviews and its tools for agents', () => {
  const sources = [
    'extension',
    'media',
    'server/agents',
    'server/client',
    'server/presentation',
  ].flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({
        contents: read(path.join(room, file)),
        extension: path.extname(file),
      })),
  );

  it('are all in the bundle for translators', async function () {
    this.timeout(180_000); // the tool parses each file with a slow parser
    const bundle: unknown = JSON.parse(read('extension/l10n/bundle.l10n.json'));
    assert.deepEqual(bundle, await getL10nJson(sources), 'run npm run l10n to update it');
  });

  it('are complete literals in each call of l10n.t', () => {
    const marked = sources.flatMap(({ contents }) => [
      ...contents.matchAll(/\bl10n\.t\(\s*([^\s])/g),
    ]);
    assert.ok(marked.length > 500, `${marked.length} texts`);
    assert.deepEqual(
      marked.map(([, first]) => first).filter((first) => first !== "'" && first !== '"'),
      [],
    );
  });
});
