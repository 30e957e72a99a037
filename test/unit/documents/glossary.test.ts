import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { COMMANDS, EXIT_CODES, GROUPS } from '../../../server/cli/command-specs/commands';
import { GLOBAL_OPTIONS } from '../../../server/cli/command-specs/global-options';
import { createOpenApiDocument } from '../../../server/http/openapi';
import { documentText, tableBelow } from '../../support/documents';
import { ROOT, shippedSources } from '../../support/shipped-sources';

const glossary = tableBelow(documentText('GLOSSARY.md'), '| term | meaning | not |');
const forbidden = glossary.flatMap(([, , not]) => not!.split(', ').filter((one) => one !== ''));

/** All texts inside a value, keys apart. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const { contributes } = JSON.parse(documentText('package.json')) as { contributes: object };
/** A text of the bundle is its own key where translators need no comment. */
const bundle = JSON.parse(documentText('extension/l10n/bundle.l10n.json')) as Record<
  string,
  unknown
>;

const SURFACES: Record<string, unknown> = {
  'the manifest': [contributes, JSON.parse(documentText('package.nls.json'))],
  'the texts for translators': Object.values(bundle),
  'the help of the command line': [COMMANDS, EXIT_CODES, GROUPS, GLOBAL_OPTIONS],
  'the OpenAPI document': createOpenApiDocument('1.0.0'),
};

describe('the glossary', () => {
  it('has at most 50 terms, in order', () => {
    const terms = glossary.map(([term]) => term!);
    assert.ok(terms.length <= 50);
    assert.deepEqual(
      terms,
      terms.toSorted((a, b) => a.localeCompare(b)),
    );
    assert.ok(forbidden.length > 20);
  });

  for (const [name, value] of Object.entries(SURFACES)) {
    it(`keeps its synonyms out of ${name}`, () => {
      const texts = [...new Set(textsOf(value))];
      assert.ok(texts.length > 50);
      const found = forbidden.flatMap((word) => {
        const pattern = new RegExp(`\\b${word}\\b`, 'i');
        return texts.filter((text) => pattern.test(text)).map((text) => `${word}: ${text}`);
      });
      assert.deepEqual(found, []);
    });
  }

  it('keeps its synonyms out of the names in the code', () => {
    const words = forbidden.filter((word) => /^\w+$/.test(word));
    const pattern = new RegExp(words.join('|'), 'i');
    const found = shippedSources().flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      if (!pattern.test(text)) return [];
      return (
        namesIn(file, text)
          .filter((name) => wordsOf(name).some((word) => words.includes(word)))
          // A field of the REST interface, and a method that the virtual machine asks for.
          .filter((name) => name !== 'untold' && name !== 'checkpoint')
          .map((name) => `${file}: ${name}`)
      );
    });
    assert.deepEqual(found, []);
  });
});

function namesIn(file: string, text: string): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return [...names];
}

/** `toldIn20` -> told, in20 */
const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
