/**
 * The line at which a breakpoint on a line stops: the line itself, or the next executed one where only blank lines, comments and heads of
 * declarations are between.
 * @param executed by line, from 1
 * @returns undefined: the transaction does not execute it
 */
export function stopLine(
  executed: ReadonlyMap<number, unknown>,
  content: string,
  line: number,
): number | undefined {
  if (executed.has(line)) return line;
  const texts = content.split('\n');
  for (let next = line; next <= texts.length; next++) {
    if (executed.has(next)) return next;
    if (/[;}]/.test(withoutComment(texts[next - 1] ?? ''))) return undefined;
  }
  return undefined;
}

const withoutComment = (text: string): string =>
  /^\s*(\*|\/\*|\/\/)/.test(text) ? '' : text.replace(/\/\/.*$/, '');
