import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

describe('the texts of the extension, its webviews and its tools for agents', () => {
  const sources = ['extension', 'media', 'server/agents', 'server/client'].flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({ file, text: read(path.join(room, file)) })),
  );

  it('are all in the bundle for translators', () => {
    const bundle = JSON.parse(read('extension/l10n/bundle.l10n.json')) as Record<string, string>;
    const texts = sources.flatMap(({ file, text }) => textsOf(file, text));
    assert.ok(texts.length > 1_000, `${texts.length} texts`);
    const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();
    assert.deepEqual(sorted(Object.keys(bundle)), sorted(texts), 'run npm run l10n to update it');
    assert.deepEqual(Object.keys(bundle), Object.values(bundle));
  });

  it('are complete literals in each call of l10n.t', () => {
    const literal = textsOf('a.ts', "l10n.t('one'); vscode.l10n.t(`two`, 1); other.t('three')");
    assert.deepEqual(literal, ['one', 'two']);
    for (const text of ['l10n.t(name)', 'l10n.t(`${one}`)', "l10n.t('a' + 'b')"]) {
      assert.throws(() => textsOf('a.ts', text), { message: `a.ts: ${text} has no literal text` });
    }
  });
});

/** Texts of the calls of `l10n.t` in a file. */
function textsOf(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\bl10n\.t$/.test(node.expression.getText(source))) {
      const [first] = node.arguments;
      if (!first || !ts.isStringLiteralLike(first)) {
        throw new Error(`${file}: ${node.getText(source)} has no literal text`);
      }
      found.push(first.text);
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  visit(source);
  return found;
}
