import type { Hex } from '../../server/api/primitives';
import { compileOnce } from './compile-once';

/** The compiler's output for one contract. */
interface Code {
  object: string;
  sourceMap: string;
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
  immutableReferences?: Record<string, { start: number; length: number }[]>;
}
interface Contract {
  abi: unknown[];
  storageLayout: unknown;
  transientStorageLayout: unknown;
  /** JSON. */
  metadata: string;
  evm: { bytecode: Code; deployedBytecode: Code };
}
interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  sources: Record<string, { id: number; ast: unknown }>;
  contracts: Record<string, Record<string, Contract>>;
}

/** A contract with its source, as a compiler and a service of verified contracts describe it. */
export interface CompiledSource extends Contract {
  name: string;
  sources: Record<string, { content: string }>;
  sourceIds: Record<string, { id: number }>;
  /** Syntax trees by file. */
  asts: Record<string, unknown>;
  settings: object;
}

/** @param settings of the compiler, besides the selection of its output */
export function compileSource(
  name: string,
  texts: Record<string, string>,
  settings: object = {},
): CompiledSource {
  const sources = Object.fromEntries(
    Object.entries(texts).map(([file, content]) => [file, { content }]),
  );
  const outputSelection = {
    '*': {
      '*': [
        'abi',
        'metadata',
        'storageLayout',
        'transientStorageLayout',
        'evm.bytecode',
        'evm.deployedBytecode',
      ],
      '': ['ast'],
    },
  };
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } };
  const output = JSON.parse(compileOnce(input)) as Output;
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  const contract = Object.values(output.contracts).flatMap((file) => file[name] ?? [])[0]!;
  const ids = Object.entries(output.sources).map(([file, { id }]) => [file, { id }] as const);
  const asts = Object.entries(output.sources).map(([file, { ast }]) => [file, ast] as const);
  return {
    ...contract,
    name,
    sources,
    settings,
    sourceIds: Object.fromEntries(ids),
    asts: Object.fromEntries(asts),
  };
}

/** Deployed code whose immutables have a value, in which every byte is `byte`. */
export function deployedCode({ evm }: CompiledSource, byte = 'ab'): Hex {
  let code = evm.deployedBytecode.object;
  for (const { start, length } of Object.values(
    evm.deployedBytecode.immutableReferences ?? {},
  ).flat()) {
    code = code.slice(0, start * 2) + byte.repeat(length) + code.slice((start + length) * 2);
  }
  return `0x${code}`;
}

/** What Sourcify answers to a request for all that belongs to a source (API v2). */
export function sourcifyAnswer(compiled: CompiledSource): Record<string, unknown> {
  const { name, sources, sourceIds, settings, abi, storageLayout, transientStorageLayout } =
    compiled;
  const { bytecode, deployedBytecode } = compiled.evm;
  const codeOf = ({ object, sourceMap, linkReferences, immutableReferences }: Code) => ({
    recompiledBytecode: `0x${object}`,
    sourceMap,
    linkReferences,
    cborAuxdata: {},
    ...(immutableReferences && { immutableReferences }),
  });
  return {
    match: 'exact_match',
    creationMatch: 'exact_match',
    runtimeMatch: 'exact_match',
    chainId: '1',
    abi,
    sources,
    sourceIds,
    storageLayout,
    transientStorageLayout,
    compilation: {
      language: 'Solidity',
      compiler: 'solc',
      compilerVersion: '0.8.30+commit.73712a01',
      compilerSettings: settings,
      name,
    },
    creationBytecode: codeOf(bytecode),
    runtimeBytecode: codeOf(deployedBytecode),
  };
}

/** Two files, immutables of both, a constructor with an argument, and storage. */
export const SHOP = {
  'src/Base.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
abstract contract Base {
    address public immutable owner;
    constructor() { owner = msg.sender; }
}
`,
  'src/Shop.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "./Base.sol";
contract Shop is Base {
    uint256 private immutable price; // in wei
    mapping(address => uint256) public paid;
    constructor(uint256 price_) { price = price_; }
    function pay(uint256 amount) external {
        require(amount >= price, "too little");
        paid[msg.sender] += amount;
    }
    function payee() external view returns (address) { return Base.owner; }
}
`,
};
