/** The texts and the expressions of a message. An expression may have braces of its own; a brace without its pair is text. */
export function messageParts(message: string): { text: string; isExpression: boolean }[] {
  const parts: { text: string; isExpression: boolean }[] = [];
  let after = 0;
  let depth = 0;
  let open = 0;
  for (const { 0: brace, index } of message.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) open = index;
    if (brace === '{' || depth === 0 || --depth > 0) continue;
    parts.push({ text: message.slice(after, open), isExpression: false });
    parts.push({ text: message.slice(open + 1, index), isExpression: true });
    after = index + 1;
  }
  return [...parts, { text: message.slice(after), isExpression: false }];
}
