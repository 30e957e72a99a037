import path from 'node:path';
import type { SourcePlace } from '../../api/source-locations';
import type { SourceText } from './source-text';

/**
 * The place at which a contract's source opens: its declaration, else the beginning of the file of its name, else of the first file.
 * @param name of the contract; may be empty
 */
export function contractDeclaration(
  name: string,
  texts: readonly SourceText[],
): SourcePlace | undefined {
  const declared = declarationIn(name, texts);
  if (declared) return declared;
  return (texts.find(isNamed(name)) ?? texts[0])?.place(0, 0);
}

/** Where the texts declare a contract; undefined where none does. */
export function declarationIn(name: string, texts: readonly SourceText[]): SourcePlace | undefined {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return undefined;
  const escaped = name.replaceAll('$', '\\$');
  const declaration = new RegExp(
    `^[ \\t]*(?:abstract[ \\t]+)?(?:contract|library|interface)[ \\t]+${escaped}(?![\\w$])`,
    'm',
  );
  // Most contracts are in the file of their name.
  const named = texts.filter(isNamed(name));
  for (const text of new Set([...named, ...texts])) {
    const { content } = text;
    const found = declaration.exec(content);
    if (found === null) continue;
    const start = Buffer.byteLength(content.slice(0, found.index));
    return text.place(start, Buffer.byteLength(found[0]));
  }
  return undefined;
}

const isNamed =
  (name: string) =>
  ({ file }: SourceText): boolean =>
    path.posix.parse(file).name === name;
