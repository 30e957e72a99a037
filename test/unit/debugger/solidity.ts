import type { JsonFragment } from 'ethers';
import type { ProgramFacts } from '../../../server/debugger/languages/port/program-facts';
import { SourceMap } from '../../../server/contracts/sources/source-map';
import { SourceText } from '../../../server/contracts/sources/source-text';
import { compileOnce, type Compiler } from '../../support/compile-once';

/* eslint-disable @typescript-eslint/no-require-imports -- the packages have no types, and each takes a second to load */
const wrapped = (soljson: unknown): Compiler =>
  (require('solc/wrapper') as (soljson: unknown) => Compiler)(soljson);
const LOADERS = {
  '0.4.26': () => wrapped(require('solc-0.4.26/soljson')),
  '0.5.17': () => wrapped(require('solc-0.5.17/soljson')),
  '0.6.12': () => wrapped(require('solc-0.6.12/soljson')),
  '0.7.6': () => wrapped(require('solc-0.7.6/soljson')),
  '0.8.30': () => require('solc') as Compiler,
};
/* eslint-enable @typescript-eslint/no-require-imports -- after the packages */

const OUTPUTS = [
  'abi',
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  ...['object', 'sourceMap', 'immutableReferences'].map((one) => `evm.deployedBytecode.${one}`),
  'storageLayout',
  'transientStorageLayout',
];
const compilers = new Map<Version, Compiler>();
const outputs = new Map<string, Output>();

export type Version = keyof typeof LOADERS;
export const VERSIONS = Object.keys(LOADERS) as Version[];

interface CompiledCode {
  object: string;
  sourceMap: string;
  immutableReferences?: ProgramFacts['immutables'];
}

interface CompiledContract {
  abi: JsonFragment[];
  evm: { bytecode: CompiledCode; deployedBytecode: CompiledCode };
  storageLayout?: ProgramFacts['layout'];
  transientStorageLayout?: ProgramFacts['layout'];
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract>>;
  sources: Record<string, { id: number; ast: unknown }>;
}

export interface Settings {
  optimizer?: { enabled: boolean; runs?: number };
  viaIR?: boolean;
  evmVersion?: string;
  /** Addresses of libraries, by file and name. */
  libraries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A contract's code, with its source. */
export interface CompiledProgram {
  code: Uint8Array;
  program: ProgramFacts;
}

export interface CompiledPrograms {
  deployed: CompiledProgram;
  creation: CompiledProgram;
  abi: readonly JsonFragment[];
}

/** Loads a compiler, and removes its handlers, which would swallow failures of the tests. */
function load(version: Version): Compiler {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map((event) => process.listeners(event as 'exit'));
  const compiler = LOADERS[version]();
  for (const [index, event] of events.entries()) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before[index]!.includes(listener)) process.removeListener(event, listener);
    }
  }
  return compiler;
}

function loaded(version: Version): Compiler {
  const compiler = compilers.get(version) ?? load(version);
  compilers.set(version, compiler);
  return compiler;
}

/** The output of a compiler, made once. @throws Error with the compiler's messages */
function run(input: string, version: Version): Output {
  const key = `${version} ${input}`;
  const known = outputs.get(key);
  if (known) return known;
  const output = JSON.parse(compileOnce(input, version, () => loaded(version))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors[0]!.formattedMessage);
  outputs.set(key, output);
  return output;
}

/** Compiles all contracts of one file. @throws Error with the compiler's messages */
export function compileAll(
  file: string,
  text: string,
  settings: Settings = {},
  version: Version = '0.8.30',
): Record<string, CompiledPrograms> {
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: text } },
    settings: { ...settings, outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
  };
  const output = run(JSON.stringify(input), version);
  const source = new SourceText(file, text);
  const { id, ast } = output.sources[file]!;
  const contracts = Object.entries(output.contracts[file]!).map(([contract, compiled]) => {
    const { abi, evm, storageLayout, transientStorageLayout } = compiled;
    const of = (code: CompiledCode, isCreation: boolean): CompiledProgram => ({
      code: Buffer.from(code.object, 'hex'),
      program: {
        contract,
        isCreation,
        trees: new Map([[id, ast]]),
        map: SourceMap.of(code.sourceMap, code.object)!,
        text: (one) => (one === id ? source : undefined),
        language: 'Solidity',
        compilerVersion: version,
        layout: storageLayout,
        transientLayout: transientStorageLayout,
        immutables: evm.deployedBytecode.immutableReferences,
        compiler: {
          version,
          optimizer: settings.optimizer?.enabled ?? false,
          viaIR: settings.viaIR ?? false,
        },
      },
    });
    return [
      contract,
      { deployed: of(evm.deployedBytecode, false), creation: of(evm.bytecode, true), abi },
    ] as const;
  });
  return Object.fromEntries(contracts);
}

/** Compiles the contract `name` of one file. @throws Error with the compiler's messages */
export function compile(name: string, text: string, settings: Settings = {}): CompiledProgram {
  return compileAll(`${name}.sol`, text, settings)[name]!.deployed;
}
