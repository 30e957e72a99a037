import assert from 'node:assert/strict';
import { filled } from '../../../media/inspector/components/filled';

describe('media: texts with placeholders for components', () => {
  const shown = (text: string, ...places: Parameters<typeof filled>[1][]): string =>
    filled(text, ...places)
      .map((piece) => (typeof piece === 'string' ? piece : '?'))
      .join('');

  it('contain each component at its placeholder, in any order', () => {
    assert.equal(shown('{0} lost most: {1}', 'alice', '$5'), 'alice lost most: $5');
    assert.equal(shown('{1} verlor {0}', 'alice', '$5'), '$5 verlor alice');
    assert.equal(shown('{0} and {0}', 'a'), 'a and a');
    assert.equal(shown('no place'), 'no place');
  });

  it("pass the words in brackets to the placeholder's component", () => {
    const words: string[] = [];
    const link = (text: string): never => {
      words.push(text);
      return `<${text}>` as never;
    };
    assert.equal(shown('{0} was [created]({1}).', 'a', link), 'a was <created>.');
    assert.equal(shown('{0} [lets]({1}) b: {1}', 'a', link), 'a <lets> b: <>');
    assert.deepEqual(words, ['created', 'lets', '']);
  });

  it('keep other brackets, and untrusted text in a component, unchanged', () => {
    assert.equal(shown('[a](b) {x} {0}', '{1} [c]({0})'), '[a](b) {x} {1} [c]({0})');
  });
});
