import type { LocatedExecution } from '../../../server/analysis/executed-transaction';
import type { Identification } from '../../../server/analysis/ports';
import { ContractInterface } from '../../../server/analysis/contract-interface';
import { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { RecordingInputs } from '../../../server/debugger/inputs';
import type { StatePoint } from '../../../server/debugger/session/state-point';
import type { ContractProgram } from '../../../server/sources/program-source';
import { CALLER, recordCall } from './record';
import type { CompiledProgram } from './solidity';

/**
 * Records a call of a compiled contract.
 * @param abi of the contract, for names of functions, events and errors
 */
export function debugCall(
  { code, program }: CompiledProgram,
  call: Parameters<typeof recordCall>[1],
  abi: readonly string[] = [],
  point = { unavailable: 'there is no node' } as StatePoint,
): Promise<DebuggedTransaction> {
  const recording = recordCall({ [CALLER]: code }, call);
  const contract = { name: program.contract, interface: ContractInterface.fromAbi(abi) };
  const known: Identification = {
    contracts: new Map([[CALLER, contract]]) as Identification['contracts'],
    creations: new Map(),
    signatures: [],
  };
  const { input = new Uint8Array(0) } = call ?? {};
  const root = {
    ...{ type: 'CALL', to: CALLER, input: `0x${Buffer.from(input).toString('hex')}` },
    ...{ output: '0x', items: [] },
  };
  const found = {
    ...{ ...program, contractName: program.contract, language: 'Solidity', compilerVersion: '' },
    ...{ ast: program.trees, storageLayout: program.layout },
    ...(program.compiler && {
      ...{ optimizer: program.compiler.optimizer, viaIR: program.compiler.viaIR },
      compilerVersion: program.compiler.version,
    }),
    ...{ files: new Map(), immutables: [], origin: 'workspace' as const },
  } satisfies ContractProgram;
  return DebuggedTransaction.open(
    {
      located: { known, executed: { trace: { root } } } as unknown as LocatedExecution,
      inputs: { floor: 0 } as RecordingInputs,
      recording,
      verification: { level: 'receipt' },
      point,
    },
    { programOf: () => Promise.resolve(found) },
    new AbortController().signal,
  );
}
