import { getL10nJson } from '@vscode/l10n-dev';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

describe('the texts of the extension', () => {
  const sources = readdirSync(path.join(ROOT, 'extension'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(path.join('extension', file)));

  it('are all in the bundle that translators start from', async () => {
    const files = sources.map((contents) => ({ contents, extension: '.ts' }));
    const bundle: unknown = JSON.parse(read('l10n/bundle.l10n.json'));
    assert.deepEqual(bundle, await getL10nJson(files), 'renew it by npm run l10n');
  });

  it('are given whole, not put together, where they are marked', () => {
    const marked = sources.flatMap((code) => [...code.matchAll(/\bl10n\.t\(\s*([^\s])/g)]);
    assert.ok(marked.length > 300, `${marked.length} texts`);
    assert.deepEqual(
      marked.map(([, first]) => first).filter((first) => first !== "'" && first !== '"'),
      [],
    );
  });
});
