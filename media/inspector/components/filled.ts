import type { ComponentChild, VNode } from 'preact';

/** Content of a placeholder, or a function that builds it from the words in brackets. */
type PlaceholderContent = VNode | string | ((words: string) => VNode);

const PLACEHOLDERS = /\[([^\]]+)\]\(\{(\d+)\}\)|\{(\d+)\}/g;

/**
 * Fills the placeholders of a translated text with components. The sentence stays complete for translators, who may reorder the
 * placeholders.
 * @param text such as `{0} was [created]({1})`: as in Markdown, the words in brackets belong to the placeholder after them
 */
export function filled(text: string, ...places: readonly PlaceholderContent[]): ComponentChild[] {
  const pieces: ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDERS)) {
    const [whole, words = '', linked, plain] = match;
    const place = places[Number(linked ?? plain)];
    pieces.push(text.slice(end, match.index), typeof place === 'function' ? place(words) : place);
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}
