/**
 * Makes untrusted text safe to show beside other text. Removes control and formatting characters, which could reverse the text, imitate
 * another text or change its surroundings, and surrounding white space.
 */
export const visibleText = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
