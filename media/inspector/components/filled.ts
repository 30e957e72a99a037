import type { ComponentChild, VNode } from 'preact';

/** What stands in a place of a text; or what is made of the words that the text has for it. */
type Place = VNode | string | ((words: string) => VNode);

const PLACES = /\[([^\]]+)\]\(\{(\d+)\}\)|\{(\d+)\}/g;

/**
 * A translated text with components in its places: so a sentence stays whole for its translators, who may move them.
 * @param text such as `{0} was [created]({1})`: as in Markdown, the words in brackets are those of the place behind them
 */
export function filled(text: string, ...places: readonly Place[]): ComponentChild[] {
  const pieces: ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACES)) {
    const [whole, words = '', linked, plain] = match;
    const place = places[Number(linked ?? plain)];
    pieces.push(text.slice(end, match.index), typeof place === 'function' ? place(words) : place);
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}
