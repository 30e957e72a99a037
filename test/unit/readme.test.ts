import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS } from '../../server/api/errors';

const ROOT = join(__dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

interface Manifest {
  scripts: Record<string, string>;
  contributes: { configuration: { properties: Record<string, unknown> } };
}
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

describe('the README', () => {
  it('lists every error by its code, status and meaning', () => {
    const rows = Object.values(API_ERRORS)
      .sort((a, b) => a.code - b.code)
      .map(({ code, status, meaning }) => `| ${code} | ${status} | ${meaning} |`);
    assert.deepEqual(README.match(/^\| \d{5} \| .*$/gm), rows);
  });

  it('names every option of the service', () => {
    const source = readFileSync(join(ROOT, 'server/startup/options.ts'), 'utf8');
    const options = [...source.matchAll(/'(--[a-z-]+)(?: <\w+>)?'/g)].map(([, name]) => name!);
    assert.ok(options.length >= 10);
    for (const name of options) {
      const variable = `FORKLENS_${name.slice(2).toUpperCase().replaceAll('-', '_')}`;
      assert.ok(README.includes(`| \`${name}\` | \`${variable}\` |`), `${name} is missing`);
    }
  });

  it('names every setting of the extension', () => {
    for (const name of Object.keys(manifest.contributes.configuration.properties)) {
      assert.ok(README.includes(`| \`${name}\` |`), `${name} is missing`);
    }
  });

  it('runs scripts and shows pictures that exist', () => {
    const scripts = [...README.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name!);
    for (const name of scripts) assert.ok(name in manifest.scripts, `npm run ${name}`);
    const pictures = [...README.matchAll(/\]\((media\/[^)]+)\)/g)].map(([, path]) => path!);
    assert.ok(pictures.length >= 3);
    for (const path of pictures) readFileSync(join(ROOT, path));
  });
});
