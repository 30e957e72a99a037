// Compiles the sandbox's contracts to one JSON file. Runs in the build and before tests, never in the product.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SOURCES = new URL('contracts/', import.meta.url);

/**
 * Files that are compiled without the optimizer, as a project does while it is debugged: the debugger knows the local variables of such
 * code. All other files are compiled with it, as deployed contracts are.
 */
const UNOPTIMIZED = new Set(['EtherVault.sol']);

const RUNS = 200;
/** Increment it with every change of the files' form. */
const FORMAT = 2;

const OUTPUTS = [
  'abi',
  'storageLayout',
  'transientStorageLayout',
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.sourceMap',
  'evm.deployedBytecode.immutableReferences',
];

/** All settings that affect the bytecode, but the optimizer. It has no metadata, which would change with paths and comments. */
const SETTINGS = {
  evmVersion: 'prague',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  // Address at which story.ts deploys the library, by the deployer's first transaction.
  libraries: { 'ShareMath.sol': { ShareMath: '0x5fbdb2315678afecb367f032d93f642f64180aa3' } },
};

/**
 * Writes three files, atomically: `sandbox-contracts.json` (`{ hash, contracts: { Name: artifact } }`; the artifacts have the fields of
 * Hardhat's), and for sources, which few starts need, `sandbox-sources.json` with texts and source maps and `sandbox-ast.json` with the
 * syntax trees. Does nothing if the files were made from the same sources, settings and compiler.
 * @param {string} folder
 */
export async function compileSandbox(folder) {
  const require = createRequire(import.meta.url);
  const { version } = require('solc/package.json');
  const sources = await readSources();
  const inputs = [true, false].map((optimizer) => inputOf(sources, optimizer));
  const hash = createHash('sha256')
    .update(JSON.stringify([version, inputs, FORMAT]))
    .digest('hex');
  const [contractsFile, sourcesFile, treesFile] = ['contracts', 'sources', 'ast'].map((part) =>
    join(folder, `sandbox-${part}.json`),
  );
  const hashes = await Promise.all([contractsFile, sourcesFile, treesFile].map(hashOf));
  if (hashes.every((one) => one === hash)) return;
  const output = compile(require, inputs);
  await mkdir(folder, { recursive: true });
  await put(treesFile, { hash, trees: treesOf(output) });
  const compiler = require('solc').version();
  await put(sourcesFile, { hash, version, compiler, ...sourcesOf(output, sources) });
  await put(contractsFile, { hash, contracts: collect(output) });
}

/** All sources, so that files and nodes of syntax trees have the same ids in both inputs; output for those with this optimizer setting. */
function inputOf(sources, optimizer) {
  const selected = Object.keys(sources).filter((name) => UNOPTIMIZED.has(name) !== optimizer);
  const outputSelection = Object.fromEntries(
    selected.map((name) => [name, { '*': OUTPUTS, '': ['ast'] }]),
  );
  return {
    language: 'Solidity',
    sources,
    settings: { ...SETTINGS, optimizer: { enabled: optimizer, runs: RUNS }, outputSelection },
  };
}

async function put(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(content)}\n`);
  await rename(temporary, file);
}

/** Syntax trees by source id. */
function treesOf(output) {
  return Object.fromEntries(Object.values(output.sources).map(({ id, ast }) => [id, ast]));
}

function sourcesOf(output, sources) {
  const contracts = {};
  for (const [file, found] of Object.entries(output.contracts)) {
    for (const [name, { evm, transientStorageLayout }] of Object.entries(found)) {
      const { bytecode, deployedBytecode } = evm;
      contracts[name] = {
        optimizer: !UNOPTIMIZED.has(file),
        creationMap: bytecode.sourceMap,
        deployedMap: deployedBytecode.sourceMap,
        transientStorageLayout,
      };
    }
  }
  return {
    settings: { runs: RUNS, viaIR: false, evmVersion: SETTINGS.evmVersion },
    compilerSettings: SETTINGS,
    files: Object.entries(output.sources).map(([name, { id }]) => ({ name, id, ...sources[name] })),
    contracts,
  };
}

async function readSources() {
  const names = (await readdir(SOURCES)).filter((name) => name.endsWith('.sol')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, SOURCES), 'utf8')));
  // The hash must not depend on the line endings of the checkout.
  return Object.fromEntries(
    names.map((name, i) => [name, { content: texts[i].replaceAll('\r\n', '\n') }]),
  );
}

async function hashOf(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).hash;
  } catch {
    return undefined; // missing or incomplete: compile again
  }
}

/**
 * Compiles several inputs of the same sources to one output. Loads the compiler (8 MB of JavaScript, about a second) only when needed.
 */
function compile(require, inputs) {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map((event) => process.listeners(event));
  const solc = require('solc');
  // Removes Emscripten's handlers, which would swallow failures of the calling process.
  events.forEach((event, i) => {
    for (const listener of process.listeners(event)) {
      if (!before[i].includes(listener)) process.removeListener(event, listener);
    }
  });
  const outputs = inputs.map((input) => JSON.parse(solc.compile(JSON.stringify(input))));
  const problems = outputs
    .flatMap(({ errors = [] }) => errors)
    .filter(({ severity }) => severity === 'error');
  if (problems.length > 0) {
    throw new Error(
      `The sandbox contracts do not compile:\n${problems.map((p) => p.formattedMessage).join('\n')}`,
    );
  }
  const sources = Object.assign({}, ...outputs.map((output) => withTrees(output.sources)));
  return { sources, contracts: Object.assign({}, ...outputs.map(({ contracts }) => contracts)) };
}

const withTrees = (sources) =>
  Object.fromEntries(Object.entries(sources).filter(([, { ast }]) => ast !== undefined));

/** Contract names are unique over all files. Interfaces and abstract contracts have no code, so theirs is `0x`. */
function collect(output) {
  const contracts = {};
  for (const [source, found] of Object.entries(output.contracts)) {
    for (const [name, { abi, evm, storageLayout }] of Object.entries(found)) {
      if (contracts[name]) throw new Error(`Two sandbox contracts are named ${name}.`);
      contracts[name] = {
        contractName: name,
        sourceName: source,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
        immutableReferences: evm.deployedBytecode.immutableReferences,
        storageLayout,
      };
    }
  }
  return contracts;
}
