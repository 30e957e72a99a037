import type { Program } from '../../../server/debugger/program';
import { SourceMap } from '../../../server/sources/source-map';
import { SourceText } from '../../../server/sources/source-text';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the package has no types
const solc = require('solc') as { compile: (input: string) => string };

interface CompiledCode {
  object: string;
  sourceMap: string;
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { deployedBytecode: CompiledCode } }>>;
}

/** A contract's code at run time, with its source. */
export interface CompiledProgram {
  code: Uint8Array;
  program: Program;
}

/** Compiles the contract `name` of one file. @throws Error with the compiler's messages */
export function compile(name: string, text: string, settings: object = {}): CompiledProgram {
  const file = `${name}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: text } },
    settings: { ...settings, outputSelection: { '*': { '*': ['evm.deployedBytecode'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors[0]!.formattedMessage);
  const { object, sourceMap } = output.contracts[file]![name]!.evm.deployedBytecode;
  const source = new SourceText(file, text);
  return {
    code: Buffer.from(object, 'hex'),
    program: {
      map: new SourceMap(sourceMap, object),
      text: (id) => (id === 0 ? source : undefined),
    },
  };
}
