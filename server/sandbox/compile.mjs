// Compiles the sandbox's contracts to one JSON file. Runs in the build and before tests, never in the product.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SOURCES = new URL('contracts/', import.meta.url);

/** All settings that affect the bytecode. It has no metadata, which would change with paths and comments. */
const SETTINGS = {
  evmVersion: 'prague',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  // Address at which story.ts deploys the library, by the deployer's first transaction.
  libraries: { 'ShareMath.sol': { ShareMath: '0x5fbdb2315678afecb367f032d93f642f64180aa3' } },
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'storageLayout',
        'transientStorageLayout',
        'evm.bytecode.object',
        'evm.bytecode.sourceMap',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.sourceMap',
        'evm.deployedBytecode.immutableReferences',
      ],
      '': ['ast'],
    },
  },
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
  const input = { language: 'Solidity', sources, settings: SETTINGS };
  const hash = createHash('sha256')
    .update(JSON.stringify([version, input]))
    .digest('hex');
  const [contractsFile, sourcesFile, treesFile] = ['contracts', 'sources', 'ast'].map((part) =>
    join(folder, `sandbox-${part}.json`),
  );
  const hashes = await Promise.all([contractsFile, sourcesFile, treesFile].map(hashOf));
  if (hashes.every((one) => one === hash)) return;
  const output = compile(require, input);
  await mkdir(folder, { recursive: true });
  await put(treesFile, { hash, trees: treesOf(output) });
  await put(sourcesFile, { hash, version, ...sourcesOf(output, sources) });
  await put(contractsFile, { hash, contracts: collect(output) });
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
  for (const found of Object.values(output.contracts ?? {})) {
    for (const [name, { evm, transientStorageLayout }] of Object.entries(found)) {
      const { bytecode, deployedBytecode } = evm;
      contracts[name] = {
        creationMap: bytecode.sourceMap,
        deployedMap: deployedBytecode.sourceMap,
        transientStorageLayout,
      };
    }
  }
  const { optimizer, evmVersion } = SETTINGS;
  return {
    settings: { optimizer: optimizer.enabled, runs: optimizer.runs, viaIR: false, evmVersion },
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

/** Loads the compiler (8 MB of JavaScript, about a second) only when needed. */
function compile(require, input) {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map((event) => process.listeners(event));
  const solc = require('solc');
  // Removes Emscripten's handlers, which would swallow failures of the calling process.
  events.forEach((event, i) => {
    for (const listener of process.listeners(event)) {
      if (!before[i].includes(listener)) process.removeListener(event, listener);
    }
  });
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const problems = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (problems.length > 0) {
    throw new Error(
      `The sandbox contracts do not compile:\n${problems.map((p) => p.formattedMessage).join('\n')}`,
    );
  }
  return output;
}

/** Contract names are unique over all files. Interfaces and abstract contracts have no code, so theirs is `0x`. */
function collect(output) {
  const contracts = {};
  for (const [source, found] of Object.entries(output.contracts ?? {})) {
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
