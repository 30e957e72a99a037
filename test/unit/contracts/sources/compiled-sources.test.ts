import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { id } from 'ethers';
import { ArtifactFolders } from '../../../../server/contracts/abi/artifact-folders';
import { readArtifact } from '../../../../server/contracts/abi/artifact';
import { Artifacts } from '../../../../server/contracts/abi/artifacts';
import type { Hex } from '../../../../server/api/primitives';
import { loadSandboxContracts } from '../../../../server/chains/sandbox/parts/contracts';
import { ArtifactSources } from '../../../../server/contracts/sources/artifact-sources';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import type { ContractProgram } from '../../../../server/contracts/sources/program-source';
import { CompiledContract } from '../../../../server/contracts/sources/compiled-contract';
import { hardhatCompilation } from '../../../../server/contracts/sources/hardhat-compilation';
import { SandboxCompilations } from '../../../../server/contracts/sources/sandbox-compilation';
import { workspaceCompilation } from '../../../../server/contracts/sources/workspace-compilation';
import { account, network } from '../../../support/analysis';
import { compileSource, deployedCode, SHOP } from '../../../support/compiled-source';
import { compileTestContracts } from '../../../support/sandbox';
import { writeHardhatBuild } from '../../../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NEVER = new AbortController().signal;
const shop = compileSource('Shop', SHOP, { optimizer: { enabled: true, runs: 7 } });
const NAMES = { own: 'artifact', others: 'workspace' } as const;

/** `id name` of each text. */
const texts = (program: ContractProgram | undefined): string[] =>
  [...(program?.files ?? [])].map(([file, { file: name }]) => `${file} ${name}`).sort();

const trees = (program: ContractProgram | undefined): string[] =>
  [...(program?.ast ?? [])].map(
    ([file, tree]) => `${file} ${(tree as { absolutePath: string }).absolutePath}`,
  );

describe('sources of contracts that were compiled here', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    for (const [name, text] of Object.entries(SHOP)) await write(name, text);
  });
  afterEach(() => removeDirectory(folder));

  const write = async (name: string, content: unknown): Promise<void> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const programOf = (out: string, code: Hex, isCreation = false) => {
    const artifacts = new Artifacts(new ArtifactFolders([join(folder, out)]), NAMES);
    const finders = [new ArtifactSources(artifacts, workspaceCompilation)];
    const executed = { address: account(1), code, isCreation };
    return new CodeSources({ finders, isPrivate: () => true }).programOf(
      network(),
      executed,
      NEVER,
    );
  };
  const { bytecode, deployedBytecode } = shop.evm;
  const compiler = { version: '0.8.30+commit.73712a01' };
  const settings = { optimizer: { enabled: true, runs: 7 }, viaIR: false };

  const writeFoundry = async (): Promise<void> => {
    const sources = Object.fromEntries(
      Object.entries(SHOP).map(([name, text]) => [name, { keccak256: id(text) }]),
    );
    await write('out/build-info/one.json', {
      id: 'one',
      source_id_to_path: { 0: 'src/Base.sol', 1: 'src/Shop.sol', 2: 'src/Other.sol' },
    });
    const metadata = {
      compiler,
      language: 'Solidity',
      sources,
      settings: { ...settings, compilationTarget: { 'src/Shop.sol': 'Shop' } },
    };
    await write('out/Shop.sol/Shop.json', {
      abi: shop.abi,
      bytecode,
      deployedBytecode,
      metadata,
      storageLayout: shop.storageLayout,
      id: 1,
      ast: shop.asts['src/Shop.sol'],
    });
    await write('out/Base.sol/Base.json', {
      abi: [],
      bytecode: { object: '', linkReferences: {} },
      deployedBytecode: { object: '', linkReferences: {} },
      id: 0,
      ast: shop.asts['src/Base.sol'],
    });
  };

  it('are read from Foundry’s output, with the syntax trees of all files', async () => {
    await writeFoundry();
    const program = await programOf('out', deployedCode(shop));
    assert.equal(program?.origin, 'workspace');
    assert.equal(program.contractName, 'Shop');
    assert.equal(program.language, 'Solidity');
    assert.equal(program.compilerVersion, compiler.version);
    assert.deepEqual([program.optimizer, program.viaIR], [true, false]);
    assert.deepEqual(texts(program), ['0 src/Base.sol', '1 src/Shop.sol']);
    assert.deepEqual(trees(program), ['0 src/Base.sol', '1 src/Shop.sol']);
    assert.deepEqual(program.immutableReferences, deployedBytecode.immutableReferences);
    assert.deepEqual(
      program.immutables.map(({ name }) => name),
      ['owner', 'price'],
    );
    assert.equal(program.storageLayout?.storage[0]?.label, 'paid');
    const created = await programOf('out', `0x${bytecode.object}${'0'.repeat(64)}`, true);
    assert.equal(created?.contractName, 'Shop');
    assert.notDeepEqual([...created.map.distinct()], [...program.map.distinct()]);
  });

  it('have no text of a file that changed since, if the output does not contain it', async () => {
    await writeFoundry();
    await appendFile(join(folder, 'src/Shop.sol'), '// changed');
    assert.deepEqual(texts(await programOf('out', deployedCode(shop))), ['0 src/Base.sol']);
  });

  it('are read from Hardhat’s output, with the compiled texts', async () => {
    const input = { language: 'Solidity', sources: shop.sources, settings };
    const sources = Object.fromEntries(
      Object.entries(shop.sourceIds).map(([name, { id: file }]) => [
        name,
        { id: file, ast: shop.asts[name] },
      ]),
    );
    const { evm, storageLayout, metadata } = shop;
    const contracts = { 'src/Shop.sol': { Shop: { evm, storageLayout, metadata } } };
    const unrelated = { id: 9, ast: {} };
    await write('artifacts/build-info/one.json', {
      solcLongVersion: compiler.version,
      input: { ...input, sources: { ...shop.sources, 'src/Other.sol': { content: '' } } },
      output: { sources: { ...sources, 'src/Other.sol': unrelated }, contracts },
    });
    await write('artifacts/src/Shop.sol/Shop.dbg.json', { buildInfo: '../../build-info/one.json' });
    await write('artifacts/src/Shop.sol/Shop.json', {
      contractName: 'Shop',
      sourceName: 'src/Shop.sol',
      abi: shop.abi,
      bytecode: `0x${bytecode.object}`,
      deployedBytecode: `0x${deployedBytecode.object}`,
      linkReferences: {},
      deployedLinkReferences: {},
      immutableReferences: deployedBytecode.immutableReferences,
    });
    await appendFile(join(folder, 'src/Shop.sol'), '// changed');
    const program = await programOf('artifacts', deployedCode(shop));
    assert.equal(program?.compilerVersion, compiler.version);
    assert.deepEqual(texts(program), ['0 src/Base.sol', '1 src/Shop.sol']);
    assert.equal(program.text(1)?.content, SHOP['src/Shop.sol']);
    assert.deepEqual(trees(program), ['0 src/Base.sol', '1 src/Shop.sol']);
    assert.equal(program.storageLayout?.storage[0]?.label, 'paid');
  });

  it('are read from the two files of Hardhat 3, and from the files of the project', async () => {
    const own = (name: string): string => `project/${name}`;
    const named = (all: Readonly<Record<string, unknown>>): object =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [own(name), value]));
    const library = 'npm/@scope/kit@1.2.3/Kit.sol';
    const { evm, storageLayout, sourceIds, asts } = shop;
    const sources = Object.fromEntries(
      Object.entries(sourceIds).map(([name, { id: file }]) => [
        name,
        { id: file, ast: asts[name] },
      ]),
    );
    const base = 'artifacts/build-info/solc-0_8_30-one';
    await write(`${base}.json`, {
      solcLongVersion: compiler.version,
      input: {
        language: 'Solidity',
        settings,
        sources: { ...named(shop.sources), [library]: { content: '// kit' } },
      },
    });
    await write(`${base}.output.json`, {
      output: {
        sources: { ...named(sources), [library]: { id: 7, ast: {} } },
        contracts: { [own('src/Shop.sol')]: { Shop: { evm, storageLayout } } },
      },
    });
    await write('node_modules/@scope/kit/Kit.sol', '// kit');
    const artifact = {
      contractName: 'Shop',
      sourceName: 'src/Shop.sol',
      abi: shop.abi,
      inputSourceName: own('src/Shop.sol'),
      buildInfoId: 'solc-0_8_30-one',
      bytecode: `0x${bytecode.object}`,
      deployedBytecode: `0x${deployedBytecode.object}`,
      linkReferences: {},
      deployedLinkReferences: {},
      immutableReferences: deployedBytecode.immutableReferences,
    };
    await write('artifacts/src/Shop.sol/Shop.json', artifact);
    const program = await programOf('artifacts', deployedCode(shop));
    assert.equal(program?.compilerVersion, compiler.version);
    assert.deepEqual(texts(program), ['0 project/src/Base.sol', '1 project/src/Shop.sol']);
    assert.equal(program.text(1)?.path, join(folder, 'src/Shop.sol'));
    assert.deepEqual(trees(program), ['0 src/Base.sol', '1 src/Shop.sol', '7 undefined']);
    const found = await hardhatCompilation(join(folder, 'artifacts/src/Shop.sol/Shop.json'));
    const read = await (await CompiledContract.open(found!)).files();
    assert.equal(
      read.find(({ file }) => file.name === library)?.text?.path,
      join(folder, 'node_modules/@scope/kit/Kit.sol'),
    );
    const outside = { ...artifact, buildInfoId: '../../../elsewhere' };
    await write('artifacts/src/Shop.sol/Shop.json', outside);
    assert.equal(
      await hardhatCompilation(join(folder, 'artifacts/src/Shop.sol/Shop.json')),
      undefined,
    );
  });

  it('have the syntax trees of the build that was written last', async () => {
    const namesOf = async (name: string): Promise<unknown[]> => {
      const text = `contract ${name} { uint256 public a${name}; }`;
      await writeHardhatBuild(folder, `again/${name}.sol`, text);
      const found = await hardhatCompilation(
        join(folder, `artifacts/again/${name}.sol/${name}.json`),
      );
      const asts = [...((await found!.ast!()) ?? []).values()] as { absolutePath: string }[];
      return asts.map(({ absolutePath }) => absolutePath);
    };
    assert.deepEqual(await namesOf('One'), ['again/One.sol']);
    assert.deepEqual(await namesOf('Two'), ['again/Two.sol']);
  });

  it('of the sandbox come with the build', async () => {
    await compileTestContracts();
    const contracts = loadSandboxContracts();
    const artifacts = new Artifacts(
      {
        artifacts: () =>
          Promise.resolve(
            (known ??= Object.values(contracts).map((contract) =>
              readArtifact(contract, contract.contractName)!,
            )),
          ),
      },
      NAMES,
    );
    let known: NonNullable<ReturnType<typeof readArtifact>>[] | undefined;
    const compilations = new SandboxCompilations();
    const finder = new ArtifactSources(artifacts, ({ name }) => compilations.of(name));
    const sources = new CodeSources({ finders: [finder], isPrivate: () => true });
    for (const [name, { bytecode: init, deployedBytecode: code }] of Object.entries(contracts)) {
      if (code === '0x') continue;
      for (const isCreation of [false, true]) {
        const executed = { address: account(1), code: isCreation ? init : code, isCreation };
        const program = await sources.programOf(network(), executed, NEVER);
        assert.equal(program?.contractName, name);
        assert.equal(program.origin, 'sandbox');
        assert.equal(program.ast?.size, 31);
      }
    }
    assert.equal(await compilations.of('Nothing'), undefined);
  });
});
