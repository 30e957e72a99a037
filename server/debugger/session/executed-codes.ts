import { createHash } from 'node:crypto';
import { keccak256 } from 'ethers';
import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { SourcePlace } from '../../api/source-locations';
import { contractDeclaration } from '../../contracts/sources/contract-declaration';
import type {
  ContractProgram,
  ExecutedCode as CodeAsText,
  ProgramSource,
  UnmappedCompilation,
} from '../../contracts/sources/program-source';
import type { SourceText } from '../../contracts/sources/source-text';
import { delegateOf } from '../../evm/interpreter/delegation';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { Recording } from '../recording/recording';

/** A code that a recording executes. */
export interface ExecutedCode {
  /** The account whose code it is, in lower case. */
  readonly address: Address;
  readonly code: Uint8Array;
  readonly isCreation: boolean;
  /** Undefined if its source is not known, or has no map. */
  readonly program: ContractProgram | undefined;
  /** What is known of its source, if it has no program. */
  readonly unmapped: UnmappedCompilation | undefined;
  /** Of its source, as `ProgramSource.identityOf`. */
  readonly identity: string;
}

/** The texts of a code's source, with a map or without. */
export const sourceFilesOf = ({ program, unmapped }: ExecutedCode): readonly SourceText[] =>
  program ? [...program.files.values()] : (unmapped?.files ?? []);

const declarations = new WeakMap<ExecutedCode, { place: SourcePlace | undefined }>();

/** Where the source of a code begins. @param name of its contract */
export function declarationOf(code: ExecutedCode, name: string): SourcePlace | undefined {
  const known = declarations.get(code) ?? {
    place: contractDeclaration(name, sourceFilesOf(code)),
  };
  declarations.set(code, known);
  return known.place;
}

/** The codes of a recording in the order of their first use, and the code of each frame. */
export interface ExecutedCodes {
  readonly codes: readonly ExecutedCode[];
  /** Index of the code by frame; undefined: the frame executes none. */
  readonly codeOf: readonly (number | undefined)[];
}

/** Sources that are looked up at a time. */
const LOOKUPS = 8;
const REVISION_DIGITS = 16;
/** The identity of no source. */
const UNFINISHED = 'unfinished';

/** @throws only if the signal is aborted */
export async function findCodes(
  network: Network,
  recording: Recording,
  source: ProgramSource,
  signal: AbortSignal,
): Promise<ExecutedCodes> {
  const numbers = new Map<string, number>();
  const found: Omit<ExecutedCode, 'program' | 'unmapped' | 'identity'>[] = [];
  const codeOf = recording.frames.map(({ context, firstStep, endStep }) => {
    if (firstStep === endStep) return undefined;
    const { code, codeAddress, kind } = context;
    const isCreation = isCreationKind(kind);
    const own = isCreation ? undefined : delegateOf(recording.world.account(codeAddress).code);
    const address = (own ?? codeAddress) as Address;
    const key = `${address} ${isCreation ? 'created' : ''} ${hashOf(code)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = found.push({ address, code, isCreation }) - 1;
    numbers.set(key, number);
    return number;
  });
  const codes: ExecutedCode[] = [];
  for (let first = 0; first < found.length; first += LOOKUPS) {
    const part = found.slice(first, first + LOOKUPS).map(async (one) => {
      const executed = codeAsText(one);
      // Before the program, which a compiler may finish in between.
      const known = await source.identityOf(network, executed, signal);
      const program = await source.programOf(network, executed, signal);
      const unmapped = program ? undefined : await source.unmappedOf(network, executed, signal);
      const identity = program?.identity ?? known ?? UNFINISHED;
      return { ...one, program, unmapped, identity };
    });
    codes.push(...(await Promise.all(part)));
  }
  return { codes, codeOf };
}

/**
 * Whether something else is known of the sources of codes than when they were looked up.
 * @throws only if the signal is aborted
 */
export async function hasNewSources(
  network: Network,
  codes: readonly ExecutedCode[],
  source: ProgramSource,
  signal: AbortSignal,
): Promise<boolean> {
  for (const code of codes) {
    const identity = await source.identityOf(network, codeAsText(code), signal);
    if (identity !== undefined && identity !== code.identity) return true;
  }
  return false;
}

/** Another one for other sources, or unoptimized builds of them. It says nothing of them. */
export function revisionOf(codes: readonly ExecutedCode[], isTwin: boolean): string {
  const of = codes.map(({ identity }) => identity);
  const identities = JSON.stringify(isTwin ? ['unoptimized', ...of] : of);
  return createHash('sha256').update(identities).digest('hex').slice(0, REVISION_DIGITS);
}

/** The same text each time, which costs nothing to compare. */
export function codeAsText({
  address,
  code,
  isCreation,
}: Pick<ExecutedCode, 'address' | 'code' | 'isCreation'>): CodeAsText {
  const text = texts.get(code) ?? toHex(code);
  texts.set(code, text);
  return { address, code: text, isCreation };
}

const texts = new WeakMap<Uint8Array, Hex>();

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

const hashes = new WeakMap<Uint8Array, string>();

function hashOf(code: Uint8Array): string {
  const known = hashes.get(code) ?? keccak256(code);
  hashes.set(code, known);
  return known;
}
