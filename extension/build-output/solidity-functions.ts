/** A public or external function in a source. */
export interface SourceFunction {
  contract: string;
  name: string;
  /** Offset of its keyword `function` in the text. */
  offset: number;
}

const TOKEN =
  /\b(contract|interface|library)\s+([A-Za-z_$][\w$]*)|\bfunction\s+([A-Za-z_$][\w$]*)|[{}]/g;
const COMMENT_OR_STRING = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** Comments and strings become blanks, so that offsets stay the same. */
const withoutTexts = (source: string): string =>
  source.replace(COMMENT_OR_STRING, (text) => text.replace(/[^\n]/g, ' '));

/** The contracts and libraries that a Solidity source declares, without interfaces. @returns offsets of their keywords */
export function declaredContracts(source: string): { contract: string; offset: number }[] {
  const code = withoutTexts(source);
  const declarations = code.matchAll(
    /\b(?:contract|library)\s+([A-Za-z_$][\w$]*)\s*(?:is\b[^{;]*)?\{/g,
  );
  return [...declarations].map(({ 1: contract = '', index: offset }) => ({ contract, offset }));
}

/** The public and external functions of the contracts and interfaces of a Solidity source. */
export function externalFunctions(source: string): SourceFunction[] {
  const code = withoutTexts(source);
  const functions: SourceFunction[] = [];
  let depth = 0;
  let contract: string | undefined;
  for (const { 0: token, 1: kind, 2: declared, 3: name, index: offset } of code.matchAll(TOKEN)) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (kind !== undefined && depth === 0)
      contract = kind === 'library' ? undefined : declared;
    else if (name !== undefined && depth === 1 && contract !== undefined) {
      if (isExternal(code, offset)) functions.push({ contract, name, offset });
    }
  }
  return functions;
}

/** Whether the function header at the offset has such a visibility after its parameters. */
function isExternal(code: string, offset: number): boolean {
  const header = code.slice(offset, offset + 2_000).split(/[{;]/, 1)[0] ?? '';
  return /\)[^(]*?\b(public|external)\b/.test(header);
}
