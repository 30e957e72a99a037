import type { KnownCode, SourcePlace, UnknownCode } from '../../api/source-locations';
import { executedMap, reasonOf, type KnownSource } from './code-sources';
import type { CompiledContract } from './compiled-contract';
import { contractDeclaration, declarationIn } from './contract-declaration';
import type { ExecutedCode } from './program-source';
import { whyUnmapped } from './why-unmapped';

/** A code that a transaction executes. */
export interface LookedUpCode {
  readonly executed: ExecutedCode;
  /** Calls of the invocation flow that execute it. */
  readonly calls: readonly number[];
  readonly source: KnownSource | undefined;
  /** Whether the time for the look-up ran out. */
  readonly isLate: boolean;
}

interface SourceFacts {
  sources: KnownCode[];
  unknown: UnknownCode[];
}

/** For each code whether its source is known, and where it opens. */
export async function sourceFacts(codes: readonly LookedUpCode[]): Promise<SourceFacts> {
  const facts: SourceFacts = { sources: [], unknown: [] };
  for (const { executed, calls, source, isLate } of codes) {
    const { address, isCreation } = executed;
    const code = { address, isCreation, calls: [...calls] };
    if (source === undefined) {
      const reason = isLate
        ? `the source of the code of ${address} was not found in time: ask again`
        : whyUnmapped({ address, code: bytesOf(executed), unmapped: undefined });
      facts.unknown.push({ ...code, reason });
      continue;
    }
    const { contract } = source;
    const { contractName, origin: from } = contract.compilation;
    const place = await placeOf(contract);
    const hasMap = executedMap(source, executed) !== undefined;
    const whyNoTree = hasMap ? undefined : reasonOf(await source.recompiled?.(0));
    const hasUnfitMap = contract.hasUnfitMap(isCreation);
    const unmapped = { ...contract.compilation, whyNoTree, hasUnfitMap };
    facts.sources.push({
      ...code,
      contract: contractName,
      from,
      hasMap,
      ...(!hasMap && {
        reason: whyUnmapped({ address, code: bytesOf(executed), unmapped }),
      }),
      ...(place && { declaration: { ...place, from, address } }),
    });
  }
  return facts;
}

/** @returns undefined where it may be in a file that is no longer what was compiled */
async function placeOf(contract: CompiledContract): Promise<SourcePlace | undefined> {
  const { contractName } = contract.compilation;
  const declared = declarationIn(contractName, [...contract.texts.values()]);
  if (declared) return declared;
  const read = await contract.files();
  if (read.some(({ isChanged }) => isChanged)) return undefined;
  return contractDeclaration(
    contractName,
    read.flatMap(({ text }) => text ?? []),
  );
}

const bytesOf = ({ code }: ExecutedCode): Uint8Array => Buffer.from(code.slice(2), 'hex');
