import assert from 'node:assert/strict';
import { LIMITS } from '../../../../server/api/limits';
import type { Hex } from '../../../../server/api/primitives';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { VerifiedSources } from '../../../../server/contracts/sources/verified/verified-sources';
import { SourceFiles } from '../../../../server/store/cache/source-files';
import { account, network } from '../../../support/analysis';
import {
  compileSource,
  deployedCode,
  SHOP,
  sourcifyAnswer,
  type CompiledSource,
} from '../../../support/compiled-source';
import { useJsonServices } from '../../../support/json-service';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';
import { CODE, find, finder, names, NEVER, settingsOf, shop, type Wanted } from './find-verified';

const FIELDS =
  'sources,sourceIds,compilation,storageLayout,' +
  'creationBytecode.recompiledBytecode,runtimeBytecode.recompiledBytecode,' +
  'creationBytecode.sourceMap,runtimeBytecode.sourceMap,' +
  'creationBytecode.linkReferences,runtimeBytecode.linkReferences,' +
  'creationBytecode.cborAuxdata,runtimeBytecode.cborAuxdata,' +
  'runtimeBytecode.immutableReferences';

describe('sources of Sourcify', () => {
  const serve = useJsonServices();
  const sourcify = async (body: unknown) => {
    const service = await serve(() => ({ body }));
    return finder(new SourcifySources({ url: service.url }));
  };

  it('come with maps and layouts in one request, and are asked for once', async () => {
    const service = await serve(() => ({ body: sourcifyAnswer(shop) }));
    const sources = finder(new SourcifySources({ url: `${service.url}/` }));
    const found = await find(sources);
    await find(sources);
    assert.deepEqual(service.asked, [
      `/v2/contract/1/${account(1)}?fields=${FIELDS},transientStorageLayout`,
    ]);
    assert.equal(found?.match, 'exact');
    const { compilation } = found.contract;
    assert.equal(compilation.origin, 'sourcify');
    assert.equal(compilation.contractName, 'Shop');
    assert.equal(compilation.language, 'Solidity');
    assert.equal(compilation.compilerVersion, '0.8.30+commit.73712a01');
    assert.deepEqual(settingsOf(found), { optimizer: true, runs: 7 });
    assert.deepEqual(names(found), ['src/Base.sol', 'src/Shop.sol']);
    assert.deepEqual(
      compilation.storageLayout?.storage.map(({ label, slot }) => [label, slot]),
      [['paid', '0']],
    );
  });

  it('give programs of deployed code and of init code', async () => {
    const service = await serve(() => ({ body: sourcifyAnswer(shop) }));
    const sources = new CodeSources({
      finders: [finder(new SourcifySources({ url: service.url }))],
      isPrivate: () => false,
    });
    const init: Hex = `0x${shop.evm.bytecode.object}${'0'.repeat(63)}5`;
    const [deployed, creation] = await Promise.all([
      sources.programOf(network(), { address: account(1), code: CODE, isCreation: false }, NEVER),
      sources.programOf(network(), { address: account(1), code: init, isCreation: true }, NEVER),
    ]);
    const lines = (program: typeof deployed) =>
      [...(program?.map.distinct() ?? [])].flatMap(({ file, start, length }) => {
        const place = program?.text(file)?.place(start, length);
        return place ? [`${place.file}:${place.startLine}`] : [];
      });
    assert.ok(lines(deployed).includes('src/Shop.sol:9'));
    assert.ok(!lines(deployed).includes('src/Shop.sol:7'));
    assert.ok(lines(creation).includes('src/Shop.sol:7'));
    assert.ok(lines(creation).includes('src/Base.sol:5'));
    assert.equal(deployed?.origin, 'sourcify');
    assert.equal(deployed.optimizer, true);
    assert.deepEqual(
      deployed.immutables.map(({ name, type }) => [name, type]),
      [
        ['owner', 'address'],
        ['price', 'uint256'],
      ],
    );
    assert.deepEqual(creation?.immutables, []);
  });

  it('match code with other metadata, and no other code', async () => {
    const noted = { ...SHOP, 'src/Shop.sol': `${SHOP['src/Shop.sol']}// a note\n` };
    const other = compileSource('Shop', noted, shop.settings);
    const sources = await sourcify(sourcifyAnswer(shop));
    assert.equal((await find(sources, { code: deployedCode(other) }))?.match, 'withoutMetadata');
    const plain = compileSource('Shop', SHOP);
    assert.equal(await find(sources, { code: deployedCode(plain) }), undefined);
    const init: Hex = `0x${plain.evm.bytecode.object}`;
    assert.equal(await find(sources, { code: init, isCreation: true }), undefined);
  });

  it('match code that contains another contract with other metadata', async () => {
    const factory = (note: string): CompiledSource =>
      compileSource('Factory', {
        'F.sol': `pragma solidity ^0.8.20;
contract Child { uint256 public x; }
contract Factory { function make() external returns (Child) { return new Child(); } }
${note}`,
      });
    const made = factory('');
    const code = made.evm.deployedBytecode.object;
    const places = [...code.matchAll(/a264697066735822.{68}64736f6c6343.{6}0033/g)];
    assert.equal(places.length, 2);
    const answer = sourcifyAnswer(made) as { runtimeBytecode: object };
    const cborAuxdata = Object.fromEntries(
      places.map(({ index, 0: value }, number) => [
        String(number + 1),
        { offset: index / 2, value: `0x${value}` },
      ]),
    );
    const sources = await sourcify({
      ...answer,
      runtimeBytecode: { ...answer.runtimeBytecode, cborAuxdata },
    });
    assert.equal((await find(sources, { code: deployedCode(made) }))?.match, 'exact');
    const other = deployedCode(factory('// a note'));
    assert.notEqual(other, deployedCode(made));
    assert.equal((await find(sources, { code: other }))?.match, 'withoutMetadata');
  });

  it('match code with immutables after its end, as of Vyper', async () => {
    const answer = sourcifyAnswer(shop) as { runtimeBytecode: object };
    const object = '60016002'.repeat(50);
    const runtimeBytecode = {
      recompiledBytecode: `0x${object}`,
      immutableReferences: { 0: [{ start: 200, length: 32 }] },
    };
    const sources = await sourcify({ ...answer, runtimeBytecode });
    const found = await find(sources, { code: `0x${object}${'ab'.repeat(32)}` });
    assert.equal(found?.match, 'exact');
    assert.equal(found.contract.deployed, undefined);
    assert.equal(await find(sources, { code: `0x${object}${'ab'.repeat(33)}` }), undefined);
  });

  it('of Vyper have no lines, since its maps count bytes and not instructions', async () => {
    const answer = sourcifyAnswer(shop) as { compilation: object };
    const compilation = { ...answer.compilation, language: 'Vyper', compilerVersion: '0.3.10' };
    const service = await serve(() => ({ body: { ...answer, compilation } }));
    const sources = new CodeSources({
      finders: [finder(new SourcifySources({ url: service.url }))],
      isPrivate: () => false,
    });
    const executed = { address: account(1), code: CODE, isCreation: false };
    assert.equal(await sources.programOf(network(), executed, NEVER), undefined);
    const { files, whyNoTree, ...unmapped } = (await sources.unmappedOf(
      network(),
      executed,
      NEVER,
    ))!;
    assert.deepEqual(unmapped, {
      contractName: 'Shop',
      language: 'Vyper',
      compilerVersion: '0.3.10',
      origin: 'sourcify',
      hasUnfitMap: false,
    });
    assert.deepEqual(
      files.map(({ file }) => file),
      ['src/Base.sol', 'src/Shop.sol'],
    );
    assert.equal(whyNoTree, undefined);
    const found = await sources.sourceOf(network(), executed, NEVER);
    assert.deepEqual(names(found), ['src/Base.sol', 'src/Shop.sol']);
  });

  it('are kept on disk by chain, address and code', async () => {
    const folder = await makeTemporaryDirectory();
    try {
      const service = await serve(() => ({ body: sourcifyAnswer(shop) }));
      const stored = () =>
        new VerifiedSources({
          service: new SourcifySources({ url: service.url }),
          store: new SourceFiles(folder),
        });
      const other = deployedCode(shop, 'cd');
      const asked = async (wanted: Partial<Wanted>, chainId = 1): Promise<number> => {
        const before = service.asked.length;
        const executed = { address: account(1), code: CODE, isCreation: false, ...wanted };
        const found = await stored().find(network(undefined, { chainId }), executed, NEVER);
        assert.equal(found?.match, 'exact');
        return service.asked.length - before;
      };
      for (const expected of [1, 0]) {
        assert.equal(await asked({}), expected);
        assert.equal(await asked({ address: account(2) }), expected);
        assert.equal(await asked({ code: other }), expected);
        assert.equal(await asked({}, 10), expected);
      }
    } finally {
      await removeDirectory(folder);
    }
  });

  it('have no map if the service gives no code to compare', async () => {
    const found = await find(
      await sourcify({ ...sourcifyAnswer(shop), creationBytecode: null, runtimeBytecode: null }),
    );
    assert.equal(found?.match, 'unchecked');
    assert.equal(found.contract.deployed, undefined);
  });

  it('have no map if it is wrong', async () => {
    const answer = sourcifyAnswer(shop) as { runtimeBytecode: { sourceMap: string } };
    const { sourceMap } = answer.runtimeBytecode;
    const entries = sourceMap.split(';');
    const wrong = {
      'beyond the file': `0:99999:1:-:0${sourceMap.slice(sourceMap.indexOf(';'))}`,
      'more entries than instructions': `${sourceMap}${';'.repeat(CODE.length)}`,
      'a jump that is none': ['0:1:0:i:0', ...entries.slice(1)].join(';'),
      'no map': 'yes',
      'a number that is none': ['--1:1:0:-:0', ...entries.slice(1)].join(';'),
      'a negative range': ['-5:1:0:-:0', ...entries.slice(1)].join(';'),
    };
    for (const [why, map] of Object.entries(wrong)) {
      const runtimeBytecode = { ...answer.runtimeBytecode, sourceMap: map };
      const found = await find(await sourcify({ ...answer, runtimeBytecode }));
      assert.equal(found?.match, 'exact', why);
      assert.equal(found.contract.deployed, undefined, why);
      assert.ok(found.contract.creation, why);
    }
  });

  it('treat ids without a file as generated code', async () => {
    const { sourceIds, ...rest } = sourcifyAnswer(shop) as { sourceIds: Record<string, object> };
    const ids = { 'src/Shop.sol': sourceIds['src/Shop.sol'], 'src/Base.sol': { id: 1e9 } };
    const found = await find(await sourcify({ ...rest, sourceIds: ids }));
    assert.equal(found?.contract.texts.size, 1);
    assert.ok(found.contract.deployed);
    const twice = { 'src/Base.sol': { id: 1 }, 'src/Shop.sol': { id: 1 } };
    const same = await find(await sourcify({ ...rest, sourceIds: twice }));
    assert.deepEqual(
      same?.contract.compilation.files.map(({ id }) => id),
      [1, undefined],
    );
  });

  it('have names that are safe as paths', async () => {
    const hostile = {
      '../../etc/passwd': 'etc/passwd',
      '/home/me/src/A.sol': 'home/me/src/A.sol',
      'C:\\work\\B.sol': 'C/work/B.sol',
      'https://github.com/x/C.sol': 'https/github.com/x/C.sol',
      '@oz/./contracts//D.sol': '@oz/contracts/D.sol',
      'a/../../b/E.sol': 'b/E.sol',
      'F\u0000\u202e.sol': 'F.sol',
      '': 'source',
      '...': 'source~2',
      'f.SOL': 'f~2.SOL',
      ['long/'.repeat(300)]: 'long',
    };
    const sources = Object.fromEntries(
      Object.keys(hostile).map((name) => [name, { content: 'x' }]),
    );
    const found = await find(await sourcify({ ...sourcifyAnswer(shop), sources }));
    const cleaned = names(found) ?? [];
    assert.deepEqual(cleaned.slice(0, -1), Object.values(hostile).slice(0, -1));
    assert.ok((cleaned.at(-1) ?? '').length <= 1_024);
    assert.ok(cleaned.every((name) => !/(^|\/)\.\.?(\/|$)|^\/|\\/.test(name)));
  });

  it('are unknown if there are too many files, none, too long names, or too much text', async () => {
    const many = Object.fromEntries(
      Array.from({ length: LIMITS.sourceFiles + 1 }, (_, index) => [
        `${index}.sol`,
        { content: '' },
      ]),
    );
    const long = { [`${'x'.repeat(LIMITS.sourceNames)}.sol`]: { content: '' } };
    const large = { 'a.sol': { content: 'x'.repeat(LIMITS.sourceAnswer) } };
    for (const sources of [many, {}, long, large]) {
      assert.equal(await find(await sourcify({ ...sourcifyAnswer(shop), sources })), undefined);
    }
  });

  it('leave out what is malformed, and keep the rest', async () => {
    const answer = sourcifyAnswer(shop);
    const found = await find(
      await sourcify({
        ...answer,
        compilation: { ...(answer['compilation'] as object), name: 7, compilerSettings: 'none' },
        storageLayout: { storage: [{ label: 'x', offset: 99, slot: '0', type: 't' }], types: {} },
        transientStorageLayout: 'none',
      }),
    );
    assert.equal(found?.match, 'exact');
    assert.equal(found.contract.compilation.contractName, '');
    assert.deepEqual(settingsOf(found), {});
    assert.equal(found.contract.compilation.storageLayout, undefined);
    for (const body of ['text', '[]', { match: null }, { ...answer, sources: 'text' }]) {
      assert.equal(await find(await sourcify(body)), undefined);
    }
  });
});
