/**
 * Makes untrusted text safe to show beside other text. Removes control and formatting characters, which could reverse the text, imitate
 * another text or change its surroundings, and surrounding white space.
 */
export const visibleText = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();

/** Control, format, private and unpaired characters, and line and paragraph separators, but no line break. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

/** As `visibleText`, of several lines, which keep their white space. */
export const visibleLines = (text: string): string => text.replace(UNSEEN, '');

/**
 * JSON text without raw control, C1, bidirectional and other format characters: it has the same value, and cannot control a terminal.
 * @param json as `JSON.stringify` writes it: outside of strings it has none of these characters but line breaks
 */
export const escapedJson = (json: string): string =>
  json.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index);
      return `\\u${unit.toString(16).padStart(4, '0')}`;
    }).join(''),
  );
