/** Words of Solidity that are no variables. */
const KEYWORDS = new Set(
  (
    'abstract address as assembly bool break bytes calldata case catch constant constructor continue contract delete do else emit enum ' +
    'error event external fallback false final fixed for from function if immutable import indexed interface internal int is let ' +
    'library mapping memory modifier msg new override payable pragma private public pure receive require return returns revert ' +
    'storage string struct super switch this throw transient true try tx type uint unchecked using var view virtual while block abi ' +
    'assert wei gwei ether seconds minutes hours days weeks'
  ).split(' '),
);
const TYPE = /^(u?int|bytes|u?fixed)[0-9x]+$/;

/** Names in a line that may be variables, with simple indices such as `[id]`, each once, from left to right; none in comments and strings, no called functions or members. */
export function namesOfLine(text: string): { name: string; start: number }[] {
  if (/^\s*(\*|\/\*)/.test(text)) return [];
  const code = text.replace(/\/\/.*$|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, (match) =>
    ' '.repeat(match.length),
  );
  const names = new Map<string, number>();
  for (const { 0: name, index } of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const isMember = code[index - 1] === '.';
    const isCall = /^\s*[({]/.test(code.slice(index + name.length));
    if (isMember || isCall || KEYWORDS.has(name) || TYPE.test(name)) continue;
    if (/[0-9]/.test(code[index - 1] ?? '')) continue; // part of a number, such as 1e18
    const [indices = ''] = /^(?:\[[\w$.]+\])+/.exec(code.slice(index + name.length)) ?? [];
    if (!names.has(name + indices)) names.set(name + indices, index);
  }
  return [...names].map(([name, start]) => ({ name, start }));
}

/**
 * The expression that ends with the name at an offset: its members and indices before it belong to it, as in `users[id].balance`.
 * @returns its range in the line; undefined where there is no name
 */
export function expressionAt(
  text: string,
  offset: number,
): { start: number; end: number } | undefined {
  const name = [...text.matchAll(/[A-Za-z_$][\w$]*/g)].find(
    ({ 0: word, index }) => index <= offset && offset <= index + word.length,
  );
  if (name === undefined) return undefined;
  let start = name.index;
  while (text[start - 1] === '.') {
    let before = start - 1;
    while (text[before - 1] === ']') {
      const open = openingOf(text, before - 1);
      if (open === undefined) return undefined;
      before = open;
    }
    const [owner = ''] = /[A-Za-z_$][\w$]*$/.exec(text.slice(0, before)) ?? [];
    if (owner === '') return undefined; // a call, whose result is not known
    start = before - owner.length;
  }
  return { start, end: name.index + name[0].length };
}

/** Offset of the bracket that the one at an offset closes. */
function openingOf(text: string, closing: number): number | undefined {
  let depth = 0;
  for (let at = closing; at >= 0; at--) {
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && --depth === 0) return at;
  }
  return undefined;
}
