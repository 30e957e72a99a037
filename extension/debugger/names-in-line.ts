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

/** Names in a line that may be variables, each once, from left to right; none in comments and strings, no called functions or members. */
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
    if (!names.has(name)) names.set(name, index);
  }
  return [...names].map(([name, start]) => ({ name, start }));
}
