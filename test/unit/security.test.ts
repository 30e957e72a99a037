import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SECURITY = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

/** Attackers of the threat model, by the heading of their section. */
const SECTIONS = [
  'web page',
  'user of the machine',
  'RPC endpoint',
  'token or contract',
  'workspace',
  'package',
  'address of a fork',
  'tenant',
];

describe('SECURITY.md', () => {
  it('names files that exist', () => {
    const files = [...SECURITY.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
    assert.ok(files.length > 60);
    for (const [, text, path] of files) {
      assert.equal(text, path);
      assert.ok(existsSync(join(ROOT, path!)), `${path} does not exist`);
    }
  });

  it('has for every attacker a defence and a test of it', () => {
    const sections = SECURITY.split(/^### /m).slice(1);
    assert.equal(sections.length, SECTIONS.length);
    for (const [index, attacker] of SECTIONS.entries()) {
      const [title, ...text] = sections[index]!.split('\n');
      assert.ok(title!.includes(attacker), `${title} is not about ${attacker}`);
      assert.match(text.join('\n'), /\]\((?:server|extension)\//, title);
      assert.match(text.join('\n'), /test: \[test\//, title);
    }
  });
});
