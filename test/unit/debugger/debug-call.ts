import type { LocatedExecution } from '../../../server/analysis/executed-transaction';
import type { Identification } from '../../../server/analysis/ports';
import { ContractInterface } from '../../../server/analysis/contract-interface';
import { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { RecordingInputs } from '../../../server/debugger/recording/inputs';
import type { StatePoint } from '../../../server/debugger/session/state-point';
import type { ContractProgram } from '../../../server/contracts/sources/program-source';
import { CALLER, recordCall } from './record';
import type { CompiledProgram } from './solidity';

/**
 * Records a call of a compiled contract.
 * @param abi of the contract, for names of functions, events and errors
 * @param others further contracts by address
 */
export function debugCall(
  called: CompiledProgram,
  call: Parameters<typeof recordCall>[1],
  abi: readonly string[] = [],
  point = { unavailable: 'there is no node' } as StatePoint,
  others: Readonly<Record<string, CompiledProgram>> = {},
): Promise<DebuggedTransaction> {
  const programs = { ...others, [CALLER]: called };
  const codes = Object.entries(programs).map(([address, { code }]) => [address, code] as const);
  const recording = recordCall(Object.fromEntries(codes), call);
  const { program } = called;
  const contract = { name: program.contract, interface: ContractInterface.fromAbi(abi) };
  const known: Identification = {
    contracts: new Map([[CALLER, contract]]) as Identification['contracts'],
    creations: new Map(),
    signatures: [],
  };
  const { input = new Uint8Array(0) } = call ?? {};
  const root = {
    type: 'CALL',
    to: CALLER,
    input: `0x${Buffer.from(input).toString('hex')}`,
    output: '0x',
    items: [],
  };
  return DebuggedTransaction.open(
    {
      located: { known, executed: { trace: { root } } } as unknown as LocatedExecution,
      inputs: { floor: 0 } as RecordingInputs,
      recording,
      verification: { level: 'receipt' },
      point,
    },
    {
      programOf: (_, { address }) => {
        const known = programs[address];
        return Promise.resolve(known && programOf(known));
      },
      unmappedOf: () => Promise.resolve(undefined),
      identityOf: () => Promise.resolve(undefined),
    },
    new AbortController().signal,
  );
}

function programOf({ program }: CompiledProgram): ContractProgram {
  const texts = [...program.trees.keys()].map((id) => [id, program.text(id)!] as const);
  return {
    ...program,
    contractName: program.contract,
    language: program.language ?? '',
    compilerVersion: '',
    ast: program.trees,
    storageLayout: program.layout,
    ...(program.compiler && {
      optimizer: program.compiler.optimizer,
      viaIR: program.compiler.viaIR,
      compilerVersion: program.compiler.version,
    }),
    files: new Map(texts),
    immutables: [],
    origin: 'workspace',
    identity: 'build',
  };
}
