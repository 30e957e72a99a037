import assert from 'node:assert/strict';
import type { Hex } from '../../../../server/api/primitives';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import { Compilers } from '../../../../server/contracts/sources/compilers/compilers';
import { InstalledCompilers } from '../../../../server/contracts/sources/compilers/installed-compilers';
import type { ContractProgram } from '../../../../server/contracts/sources/program-source';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { VerifiedSources } from '../../../../server/contracts/sources/verified/verified-sources';
import { launchCommand } from '../../../../server/chains/engine/launch-command';
import { account, network } from '../../../support/analysis';
import {
  compileSource,
  deployedCode,
  SHOP,
  sourcifyAnswer,
  type CompiledSource,
} from '../../../support/compiled-source';
import { eventually } from '../../../support/eventually';
import { useJsonServices } from '../../../support/json-service';
import { NEVER } from './find-verified';

/** A deadline for a compilation. */
const COMPILE_MS = 60_000;

describe('verified sources that are compiled again', function () {
  this.timeout(60_000);
  const serve = useJsonServices();
  const compilers = new Compilers({
    installed: new InstalledCompilers([]),
    store: undefined,
    folder: '/solc',
    launch: (file, args) => launchCommand(file, args),
  });
  after(() => compilers.close());

  /** The program of code, by a service that gives an answer. */
  async function programOf(
    compiled: CompiledSource,
    { answer = {}, code = deployedCode(compiled), isCreation = false }: Wanted = {},
  ): Promise<ContractProgram | undefined> {
    const { url } = await serve(() => ({ body: { ...sourcifyAnswer(compiled), ...answer } }));
    const service = new SourcifySources({ url });
    const sources = new CodeSources({
      finders: [new VerifiedSources({ service, store: undefined, compilers })],
      isPrivate: () => false,
    });
    const executed = { address: account(1), code, isCreation };
    return eventually(async () => {
      const program = await sources.programOf(network(), executed, NEVER);
      assert.doesNotMatch(program?.whyNoTree ?? '', /is compiling/);
      return program;
    }, COMPILE_MS);
  }
  interface Wanted {
    answer?: Record<string, unknown>;
    code?: Hex;
    isCreation?: boolean;
  }
  const files = (program: ContractProgram | undefined): string[] =>
    [...(program?.files.values() ?? [])].map(({ file }) => file).sort();

  it('have trees by the ids of their files, and immutables by their declarations', async () => {
    const shop = compileSource('Shop', SHOP);
    const program = await programOf(shop);
    assert.equal(program?.whyNoTree, undefined);
    assert.deepEqual([...program!.ast!.keys()].sort(), [0, 1]);
    assert.deepEqual(files(program), ['src/Base.sol', 'src/Shop.sol']);
    assert.deepEqual([program?.optimizer, program?.viaIR], [false, false]);
    assert.deepEqual(program?.immutables.map(({ name, type }) => [name, type]).sort(), [
      ['owner', 'address'],
      ['price', 'uint256'],
    ]);
  });

  it('have trees for creation code with its arguments', async () => {
    const shop = compileSource('Shop', SHOP);
    const code: Hex = `0x${shop.evm.bytecode.object}${'07'.padStart(64, '0')}`;
    const program = await programOf(shop, { code, isCreation: true });
    assert.equal(program?.ast?.size, 2);
  });

  it('are compiled under their own names and with their remappings', async () => {
    const texts = {
      '/home/dev/src/Shop.sol': SHOP['src/Shop.sol'].replace('./Base.sol', 'lib/Base.sol'),
      '../deps/Base.sol': SHOP['src/Base.sol'],
    };
    const shop = compileSource('Shop', texts, { remappings: ['lib/=../deps/'] });
    const program = await programOf(shop);
    assert.deepEqual([program?.whyNoTree, program?.ast?.size], [undefined, 2]);
    assert.deepEqual(files(program), ['deps/Base.sol', 'home/dev/src/Shop.sol']);
    const { whyNoTree } = (await programOf(
      compileSource('Shop', texts, { remappings: ['lib/=../deps/'] }),
      {
        answer: {
          compilation: {
            language: 'Solidity',
            name: 'Shop',
            compilerSettings: {},
            compilerVersion: '0.8.30+commit.73712a01',
          },
        },
      },
    ))!;
    assert.match(
      whyNoTree ?? '',
      /^solc 0\.8\.30 does not compile them: ParserError: Source "lib\/Base\.sol" not found/,
    );
  });

  it('are the same for code with another comment, and with addresses of libraries', async () => {
    const text = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Sums { function sum(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }
contract Till { function f(uint256 a) external pure returns (uint256) { return Sums.sum(a, 1); } }
`;
    const till = compileSource('Till', { 'Till.sol': text });
    const { object, linkReferences } = till.evm.deployedBytecode;
    const [{ start, length }] = linkReferences['Till.sol']!['Sums']! as [
      { start: number; length: number },
    ];
    const linked = (by: string): string =>
      object.slice(0, start * 2) + by.repeat(length) + object.slice((start + length) * 2);
    const { runtimeBytecode } = sourcifyAnswer(till) as { runtimeBytecode: object };
    const program = await programOf(till, {
      code: `0x${linked('ab')}`,
      answer: {
        sources: { 'Till.sol': { content: `${text}// another` } },
        runtimeBytecode: { ...runtimeBytecode, recompiledBytecode: `0x${linked('00')}` },
        creationBytecode: null,
      },
    });
    assert.deepEqual([program?.whyNoTree, program?.ast?.size], [undefined, 1]);
  });

  it('are not used for code of another contract, or with other settings', async () => {
    const shop = compileSource('Shop', SHOP);
    const { compilation } = sourcifyAnswer(shop) as { compilation: object };
    for (const compilerSettings of [{ optimizer: { enabled: true, runs: 1 } }, { viaIR: true }]) {
      const program = await programOf(shop, {
        answer: { compilation: { ...compilation, compilerSettings } },
      });
      assert.equal(program?.whyNoTree, 'its verified sources compile to other code');
      assert.equal(program.ast, undefined);
      assert.deepEqual(files(program), ['src/Base.sol', 'src/Shop.sol']);
    }
  });
});
