import { words, type Segment } from './segment';

/** What stands for a placeholder, or a function that makes it from the words in brackets. */
export type Place = readonly Segment[] | ((words: string) => readonly Segment[]);

const PLACEHOLDERS = /\[([^\]]+)\]\(\{(\d+)\}\)|\{(\d+)\}/g;

/**
 * Fills the placeholders of a translated sentence. It stays complete for translators, who may reorder the placeholders.
 * @param text such as `{0} was [created]({1})`: as in Markdown, the words in brackets belong to the placeholder after them
 */
export function fillSentence(text: string, ...places: readonly Place[]): Segment[] {
  const segments: Segment[] = [];
  const add = (piece: string): void => {
    if (piece !== '') segments.push(words(piece));
  };
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDERS)) {
    const [whole, linked = '', at, plain] = match;
    const place = places[Number(at ?? plain)] ?? [];
    add(text.slice(end, match.index));
    segments.push(...(typeof place === 'function' ? place(linked) : place));
    end = match.index + whole.length;
  }
  add(text.slice(end));
  return segments;
}

/** Words that lead to a node of the call tree; plain words where there is none. */
export const link =
  (nodeId: number | undefined) =>
  (text: string): Segment[] => [
    nodeId === undefined ? words(text) : { kind: 'text', text, nodeId },
  ];
