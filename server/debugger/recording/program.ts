import type { SourceMap } from '../../contracts/sources/source-map';
import type { SourceText } from '../../contracts/sources/source-text';
import type { SourcePlace } from '../../api/source-locations';

/** The source of the code that a call frame executes. */
export interface Program {
  readonly map: SourceMap;
  /** Whether the code was optimized; undefined if that is not known. */
  readonly optimizer?: boolean | undefined;
  /** Such as `Solidity`; undefined or empty if unknown. */
  readonly language?: string | undefined;
  /** Such as `0.8.30+commit.73712a01`; undefined or empty if unknown. */
  readonly compilerVersion?: string | undefined;
  /** Whether it was compiled via IR; undefined if that is not known. */
  readonly viaIR?: boolean | undefined;
  /** @param file its id in the source map. @returns undefined for generated code, and if the text is unknown */
  text(file: number): SourceText | undefined;
}

/** Whether a program was compiled by Solidity before 0.`minor`; false where its version is not known. */
export function isBefore({ language, compilerVersion = '' }: Program, minor: number): boolean {
  if (language !== 'Solidity') return false;
  const [, own] = /^0\.(\d+)\./.exec(compilerVersion) ?? [];
  return own !== undefined && Number(own) < minor;
}

/** The place of a statement that an instruction belongs to; undefined also for code that several statements share to revert. */
export function ownPlaceAt(program: Program, offset: number): SourcePlace | undefined {
  const range = program.map.ownAt(offset);
  return range && program.text(range.file)?.place(range.start, range.length);
}

/** The place in the source of the instruction at an offset; undefined for generated code. */
export function placeAt(program: Program, offset: number): SourcePlace | undefined {
  const range = program.map.at(offset);
  return range && program.text(range.file)?.place(range.start, range.length);
}
