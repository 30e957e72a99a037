/** A public or external function with a body in a source; `constructor` for that of a contract that can be deployed. */
export interface SourceFunction {
  contract: string;
  name: string;
  /** Offset of its keyword in the text. */
  offset: number;
}

const TOKEN =
  /\b(abstract\s+)?(contract|interface|library)\s+([A-Za-z_$][\w$]*)|\bfunction\s+([A-Za-z_$][\w$]*)|\b(constructor)\s*\(|[{}]/g;
const COMMENT_OR_STRING = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** Comments and strings become blanks, so that offsets stay the same. */
export const withoutTexts = (source: string): string =>
  source.replace(COMMENT_OR_STRING, (text) => text.replace(/[^\n]/g, ' '));

/** A contract or library of a source. */
export interface DeclaredContract {
  contract: string;
  kind: 'contract' | 'abstract' | 'library';
  /** Offset of its keyword `contract` or `library` in the text. */
  offset: number;
}

/** The contracts and libraries that a Solidity source declares, without interfaces. */
export function declaredContracts(source: string): DeclaredContract[] {
  const code = withoutTexts(source);
  const declarations = code.matchAll(
    /\b(abstract\s+)?(contract|library)\s+([A-Za-z_$][\w$]*)\s*(?:is\b[^{;]*)?\{/g,
  );
  return [...declarations].map(({ 1: before = '', 2: keyword, 3: contract = '', index }) => ({
    contract,
    kind: keyword === 'library' ? 'library' : before === '' ? 'contract' : 'abstract',
    offset: index + before.length,
  }));
}

/** The public and external functions with a body, and the constructors, of the contracts of a Solidity source. */
export function externalFunctions(source: string): SourceFunction[] {
  const code = withoutTexts(source);
  const functions: SourceFunction[] = [];
  let depth = 0;
  let contract: string | undefined;
  let isAbstract = false;
  for (const { index: offset, ...found } of code.matchAll(TOKEN)) {
    const { 0: token, 1: before, 2: kind, 3: declared, 4: name, 5: constructor } = found;
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (kind !== undefined && depth === 0) {
      contract = kind === 'contract' ? declared : undefined;
      isAbstract = before !== undefined;
    } else if (constructor !== undefined && depth === 1 && contract !== undefined) {
      if (!isAbstract) functions.push({ contract, name: constructor, offset });
    } else if (name !== undefined && depth === 1 && contract !== undefined) {
      if (hasExternalBody(code, offset)) functions.push({ contract, name, offset });
    }
  }
  return functions;
}

/** Whether the function header at the offset has such a visibility after its parameters, and a body follows. */
function hasExternalBody(code: string, offset: number): boolean {
  const text = code.slice(offset, offset + 2_000);
  const end = text.search(/[{;]/);
  if (end >= 0 && text[end] === ';') return false;
  const header = end < 0 ? text : text.slice(0, end);
  return /\)[^(]*?\b(public|external)\b/.test(header);
}
