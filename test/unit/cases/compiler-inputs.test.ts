import assert from 'node:assert/strict';
import { LIMITS } from '../../../server/api/limits';
import { keptInput, openInput } from '../../../server/cases/known/compiler-inputs';
import { knownSchema } from '../../../server/cases/known/known-schema';
import type { Compilation, CompilerInput } from '../../../server/contracts/sources/compilation';
import { CompiledContract } from '../../../server/contracts/sources/compiled-contract';

const VERSION = '0.8.30+commit.73712a01';
const TEXTS = { 'src/Vault.sol': 'contract Vault {}', 'lib/Safe.sol': 'library Safe {}' };
const SETTINGS = {
  remappings: ['@safe/=lib/'],
  evmVersion: 'cancun',
  libraries: { 'lib/Safe.sol': { Safe: `0x${'5a'.repeat(20)}` } },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  debug: { revertStrings: 'strip' },
};
const sourcesOf = (texts: Record<string, string>): CompilerInput['sources'] =>
  Object.fromEntries(Object.entries(texts).map(([name, content]) => [name, { content }]));

/** A contract of a project. @param given to its compiler */
const contractOf = (
  given: Partial<CompilerInput> = {},
  more: Partial<Compilation> = {},
): Promise<CompiledContract> =>
  CompiledContract.open({
    origin: 'workspace',
    contractName: 'Vault',
    language: 'Solidity',
    compilerVersion: VERSION,
    settings: {},
    deployed: undefined,
    creation: undefined,
    files: Object.entries(TEXTS).map(([name, content], id) => ({ name, id, content })),
    input: () =>
      Promise.resolve({
        compilerVersion: VERSION,
        sources: sourcesOf(TEXTS),
        settings: { ...SETTINGS, optimizer: { enabled: true }, viaIR: true },
        ...given,
      }),
    ...more,
  });

describe('what the compiler of a contract in a case was given', () => {
  let texts: string[];
  const indexOf = (text: string): number => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text);
  };
  beforeEach(() => {
    texts = ['another text'];
  });

  it('is the same when the case is opened, without what a build without the optimizer replaces', async () => {
    const kept = await keptInput(await contractOf(), indexOf);
    assert.ok(kept);
    assert.deepEqual(kept.sources, [
      ['src/Vault.sol', 1],
      ['lib/Safe.sol', 2],
    ]);
    const written: unknown = JSON.parse(JSON.stringify(kept));
    const compilation = knownSchema.shape.compilations.element.shape.input.parse(written);
    assert.deepEqual(openInput(compilation!, texts), {
      compilerVersion: VERSION,
      settings: SETTINGS,
      sources: sourcesOf(TEXTS),
    });
  });

  it('has no file of the project that the contract was not compiled from', async () => {
    const sources = sourcesOf({ ...TEXTS, 'src/Secret.sol': 'contract Secret {}' });
    const kept = await keptInput(await contractOf({ sources }), indexOf);
    assert.deepEqual(
      kept?.sources.map(([name]) => name),
      Object.keys(TEXTS),
    );
    assert.ok(!texts.includes('contract Secret {}'));
  });

  it('has the files of verified code under the names that the compiler knew', async () => {
    const sources = sourcesOf({ 'browser/Vault.sol': TEXTS['src/Vault.sol'] });
    const contract = await contractOf({ sources }, { origin: 'sourcify' });
    const kept = await keptInput(contract, indexOf);
    assert.deepEqual(kept?.sources, [['browser/Vault.sol', 1]]);
  });

  for (const [what, given] of [
    ['a remapping', { settings: { remappings: ['@safe/=/home/alice/lib/'] } }],
    ['a remapping on Windows', { settings: { remappings: ['@safe/=C:\\lib\\'] } }],
    ['settings of another form', { settings: { remappings: 'none' } }],
  ] as const) {
    it(`is not known with a folder of the machine, or another form: ${what}`, async () => {
      assert.equal(await keptInput(await contractOf(given), indexOf), undefined);
    });
  }

  it('is not known of other languages, and where nobody knows it', async () => {
    const vyper = await contractOf({}, { language: 'Vyper' });
    assert.equal(await keptInput(vyper, indexOf), undefined);
    const unknown = await contractOf({}, { input: () => Promise.resolve(undefined) });
    assert.equal(await keptInput(unknown, indexOf), undefined);
  });

  it('is not known where it is too long, or the case lacks a text', () => {
    const opened = (sources: [string, number][], text: string): CompilerInput | undefined =>
      openInput({ compilerVersion: VERSION, settings: {}, sources }, [text]);
    assert.equal(opened([['A.sol', 7]], 'a'), undefined);
    const half = 'a'.repeat(LIMITS.compiledSources / 2);
    const twice: [string, number][] = [
      ['A.sol', 0],
      ['B.sol', 0],
    ];
    assert.equal(Object.keys(opened(twice, half)?.sources ?? {}).length, 2);
    assert.equal(opened([...twice, ['C.sol', 0]], half), undefined);
  });
});
