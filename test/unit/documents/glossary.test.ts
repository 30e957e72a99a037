import assert from 'node:assert/strict';
import { COMMANDS, EXIT_CODES, GROUPS } from '../../../server/cli/table/commands';
import { GLOBAL_OPTIONS } from '../../../server/cli/table/global-options';
import { createOpenApiDocument } from '../../../server/http/openapi';
import { documentText, tableBelow } from '../../support/documents';

const glossary = tableBelow(documentText('CONTRIBUTING.md'), '| term | meaning | not |');
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
  it('has at most 40 terms, in order', () => {
    const terms = glossary.map(([term]) => term!);
    assert.ok(terms.length <= 40);
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
});
