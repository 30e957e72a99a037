import { simulationOf } from '../../analysis/simulation/simulation-of-transaction';
import type { Hash } from '../../api/primitives';
import type { RecordedContract, Recording } from '../../api/recording';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { declarationOf, sourceFilesOf, type ExecutedCode } from '../session/executed-codes';
import type { TwinReport } from '../session/twin-report';
import { languageOf, whyNoLines } from '../session/why-unmapped';
import { languageOf as readerOf, whyNoValues } from '../languages/languages';

export function recordingAnswer(
  debugged: DebuggedTransaction,
  chain: string,
  transaction: Hash,
): Recording {
  const { recording, recorded, codes, stops } = debugged;
  const { isSimulated = false, mined } = recorded.located.executed;
  const { firstStep = 0 } = recording.frames[recorded.firstFrame ?? 0] ?? {};
  return {
    transaction,
    chain,
    ...(isSimulated
      ? { isSimulation: true }
      : { isSimulation: false, blockHash: mined.receipt.blockHash }),
    status: recording.end?.kind === 'returned',
    failure: debugged.failureOf(0) ?? '',
    steps: recording.steps,
    entry: stops.find(firstStep - 1, 1) ?? 0,
    gasUsed: debugged.executed.gasUsed(recorded.inputs.floor),
    verification: recorded.verification,
    revision: debugged.revision,
    build: recorded.executed ? 'unoptimized' : 'executed',
    ...(recorded.twin && { twin: twinAnswer(debugged, recorded.twin) }),
    contracts: codes.codes.map((code) => contractAnswer(debugged, code)),
    ...(!isSimulated && { again: { ...simulationOf(mined) } }),
  };
}

function twinAnswer(
  debugged: DebuggedTransaction,
  { same, of, reason, codes, unprovedGas }: TwinReport,
): NonNullable<Recording['twin']> {
  const executed = (debugged.recorded.executed?.debugged ?? debugged).codes.codes;
  return {
    same,
    of,
    ...(reason !== undefined && { reason }),
    contracts: codes.flatMap(({ code, ...more }) => {
      const known = executed[code];
      if (!known) return [];
      const { address, isCreation } = known;
      const isUnproved = unprovedGas.includes(code);
      const name = debugged.nameOf(known);
      return [{ address, isCreation, name, ...more, ...(isUnproved && { isGasUnproved: true }) }];
    }),
  };
}

function contractAnswer(debugged: DebuggedTransaction, code: ExecutedCode): RecordedContract {
  const { address, isCreation, program, unmapped } = code;
  const texts = sourceFilesOf(code);
  const name = debugged.nameOf(code);
  const declaration = declarationOf(code, name);
  const unavailable = unavailableBecause(code);
  return {
    address,
    isCreation,
    name,
    origin: (program ?? unmapped)?.origin ?? null,
    language: languageOf(code),
    hasLines: program !== undefined && texts.length > 0,
    hasLocals: program?.ast !== undefined && readerOf(program) !== undefined,
    ...(unavailable !== undefined && { unavailable }),
    files: [...new Set(texts.map(({ file }) => file))],
    ...(declaration && { declaration }),
  };
}

function unavailableBecause(code: ExecutedCode): string | undefined {
  const { program } = code;
  if (!program) return whyNoLines(code);
  const { contractName, compilerVersion, whyNoTree } = program;
  const language = readerOf(program);
  if (!language) return `the values of ${contractName} are not known: ${whyNoValues(program)}`;
  if (program.ast) return undefined;
  return `the compilation of ${contractName} has no syntax tree, so that local variables are not known: ${language.howToGetTree(compilerVersion, whyNoTree)}`;
}
