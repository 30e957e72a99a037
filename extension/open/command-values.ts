/** `[0xab,(1,true)]` as `["0xab",["1","true"]]`. Text that is JSON already stays. */
export function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    if (!/\d{16}/.test(text)) return text;
  } catch {
    // in the notation of the command line
  }
  return text
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .replace(/"(?:\\.|[^"\\])*"|[^[\],\s][^[\],]*/g, (part) =>
      part.startsWith('"') ? part : JSON.stringify(part.trim()),
    );
}
