import path from 'node:path';
import { LIMITS } from '../../api/limits';
import type { CompilerInput } from '../../contracts/sources/compilation';
import type { CompiledContract } from '../../contracts/sources/compiled-contract';
import { inputSettingsSchema, type Known, type KnownInput } from './known-schema';

/**
 * What the compiler of a contract was given. Of a project, the files that the contract was compiled from alone.
 * @param indexOf index of a text in the case
 * @returns undefined where it is not known, or would name folders of this machine
 */
export async function keptInput(
  contract: CompiledContract,
  indexOf: (text: string) => number,
): Promise<KnownInput | undefined> {
  const { compilation } = contract;
  if (!compilation.input || compilation.language !== 'Solidity') return undefined;
  const files = await contract.files();
  const texts = files.flatMap(({ file: { name }, text }) =>
    text === undefined ? [] : [[name, { content: text.content }] as const],
  );
  const given = await compilation.input(Object.fromEntries(texts));
  const settings = inputSettingsSchema.safeParse(given?.settings).data;
  if (!given || !settings) return undefined;
  const own = new Set(texts.map(([name]) => name));
  const sources = Object.entries(given.sources).filter(
    ([name]) => compilation.origin !== 'workspace' || own.has(name),
  );
  const places = [...sources.map(([name]) => name), ...(settings.remappings ?? []).map(targetOf)];
  if (places.some((place) => path.posix.isAbsolute(place) || path.win32.isAbsolute(place))) {
    return undefined;
  }
  return {
    compilerVersion: given.compilerVersion,
    settings,
    sources: sources.map(([name, { content }]) => [name, indexOf(content)]),
  };
}

/** Of `context:prefix=target`. */
const targetOf = (remapping: string): string => remapping.slice(remapping.indexOf('=') + 1);

/**
 * The same from a case file.
 * @returns undefined where it is too long, or the file lacks a text
 */
export function openInput(
  { compilerVersion, settings, sources }: KnownInput,
  texts: Known['texts'],
): CompilerInput | undefined {
  const found = new Map<string, { content: string }>();
  let length = 0;
  for (const [name, index] of sources) {
    const content = texts[index];
    if (content === undefined) return undefined;
    // A file may name one text often.
    length += content.length;
    if (length > LIMITS.compiledSources) return undefined;
    found.set(name, { content });
  }
  return { compilerVersion, settings, sources: Object.fromEntries(found) };
}
