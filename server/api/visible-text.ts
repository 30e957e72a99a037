/**
 * Text of a stranger as it may stand beside other text: without control and formatting characters, by which it could turn round,
 * pass for another or disturb its surroundings, and without space around it.
 */
export const visibleText = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
