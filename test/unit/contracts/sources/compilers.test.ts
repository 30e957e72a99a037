import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  Compilers,
  type Compiled,
  type CompilersOptions,
} from '../../../../server/contracts/sources/compilers/compilers';
import { InstalledCompilers } from '../../../../server/contracts/sources/compilers/installed-compilers';
import { launchCommand } from '../../../../server/chains/engine/launch-command';
import { withMemoryLimit } from '../../../../server/chains/engine/memory-limit';
import { SourceFiles } from '../../../../server/store/cache/source-files';
import { eventually } from '../../../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const VERSIONS = {
  '0.4.26': '4563c3fc',
  '0.5.17': 'd19bba13',
  '0.6.12': '27d51765',
  '0.7.6': '7338295f',
  '0.8.30': '73712a01',
};
type Version = keyof typeof VERSIONS;
/** A deadline for a compilation. */
const COMPILE_MS = 60_000;

const long = (version: Version): string => `${version}+commit.${VERSIONS[version]}`;

const input = (text: string): string =>
  JSON.stringify({
    language: 'Solidity',
    sources: { 'A.sol': { content: text } },
    settings: {
      outputSelection: {
        '*': {
          A: ['object', 'sourceMap', 'linkReferences'].map((one) => `evm.deployedBytecode.${one}`),
          '': ['ast'],
        },
      },
    },
  });
const CONTRACT = 'contract A { function f(uint a) public pure returns (uint) { return a + 1; } }';
/** Takes a compiler minutes. */
const LONG = `contract A {${Array.from(
  { length: 20_000 },
  (_, index) => `function f${index}(uint a) public pure returns (uint) { return a * ${index}; }`,
).join('')}}`;

describe('compilers that were installed from npm', function () {
  this.timeout(60_000);
  let folder: string;
  let launched: number;
  const open: Compilers[] = [];

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    launched = 0;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await removeDirectory(folder);
  });

  const compilers = (options: Partial<CompilersOptions> = {}): Compilers => {
    const made = new Compilers({
      installed: new InstalledCompilers([]),
      store: undefined,
      folder: '~/.forklens/solc',
      launch: async (file, args, memoryBytes) => {
        launched++;
        return withMemoryLimit(await launchCommand(file, args), memoryBytes);
      },
      ...options,
    });
    open.push(made);
    return made;
  };
  const reasonOf = (compiled: Compiled): string => ('reason' in compiled ? compiled.reason : '');

  for (const version of Object.keys(VERSIONS) as Version[]) {
    it(`give code and syntax trees: ${version}`, async () => {
      const compiled = await compilers().compile(long(version), input(CONTRACT));
      assert.ok('output' in compiled, reasonOf(compiled));
      const [contract, ...others] = compiled.output.contracts;
      assert.equal(others.length, 0);
      assert.match(contract?.deployed.object ?? '', /^60806040/);
      const [file] = compiled.output.files;
      assert.equal(file?.name, 'A.sol');
      assert.equal((file.ast as { nodeType: string }).nodeType, 'SourceUnit');
    });

    it(`refuse what the sources lack: ${version}`, async () => {
      const text = `import "../../../../../../etc/passwd"; ${CONTRACT}`;
      const reason = reasonOf(await compilers().compile(long(version), input(text)));
      assert.match(reason, /Source ".*etc\/passwd" not found: File not supplied initially/);
    });
  }

  it('are found in folders, by the version of the package and under any name', async () => {
    const modules = path.join(folder, 'node_modules');
    await mkdir(modules);
    const packages = path.resolve('node_modules');
    await symlink(path.join(packages, 'solc-0.7.6'), path.join(modules, 'solc-old'));
    await mkdir(path.join(modules, 'solc-none'));
    await mkdir(path.join(modules, 'solc-forged'));
    const forged = { name: 'other', version: '9.9.9' };
    await writeFile(path.join(modules, 'solc-forged/package.json'), JSON.stringify(forged));
    await writeFile(path.join(modules, 'solc-forged/soljson.js'), '');
    const installed = new InstalledCompilers([folder]);
    const found = await installed.find('0.7.6');
    assert.equal(found?.soljson, path.join(modules, 'solc-old/soljson.js'));
    assert.equal(await installed.find('9.9.9'), undefined);
    assert.equal(await installed.find('0.8.1'), undefined);
    const added = path.join(folder, 'added');
    await mkdir(added);
    await writeFile(path.join(added, 'package.json'), '{ "name": "solc", "version": "0.8.1" }');
    await writeFile(path.join(added, 'soljson.js'), '');
    await rename(added, path.join(modules, 'solc-0.8.1'));
    assert.ok(await installed.find('0.8.1'), 'an added package is found at once');
  });

  it('are named with the command that installs one', async () => {
    const made = compilers();
    assert.equal(await made.whyNot(long('0.8.30')), undefined);
    assert.equal(
      await made.whyNot('0.8.1+commit.df193b15'),
      'solc 0.8.1 is not installed: run npm install --prefix ~/.forklens/solc solc-0.8.1@npm:solc@0.8.1',
    );
    for (const version of [
      '',
      '0.8.30',
      '0.8.30-nightly.2025.1.1+commit.1',
      'x+commit.1',
      '../x+y',
    ]) {
      assert.equal(await made.whyNot(version), 'the version of its compiler is not known exactly');
    }
  });

  it('are ended at the limit of their time, and not run again for the same sources', async () => {
    const made = compilers({ timeMs: 1_500 });
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.equal(
        reasonOf(await made.compile(long('0.8.30'), input(LONG))),
        'solc 0.8.30 took longer than 1.5 s of processor time',
      );
    }
    assert.equal(launched, 1);
  });

  it('may wait for the processor, and are ended at a limit of that', async () => {
    const made = compilers({ timeMs: COMPILE_MS, waitMs: 1_500 });
    assert.equal(
      reasonOf(await made.compile(long('0.8.30'), input(LONG))),
      'solc 0.8.30 took longer than 1.5 s',
    );
  });

  it('are ended at the limit of their memory', async () => {
    const made = compilers({
      launch: async (file, args) => {
        const small = args.map((one) => one.replace(/^(--wasm-max-mem-pages)=.*/, '$1=600'));
        return launchCommand(file, small);
      },
    });
    const reason = reasonOf(await made.compile(long('0.8.30'), input(LONG)));
    assert.match(reason, /^solc 0\.8\.30 (failed: |ended without an answer \()/);
  });

  it('run again after a package was read while it was being installed', async () => {
    const own = path.join(folder, 'node_modules/solc');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'package.json'), '{ "name": "solc", "version": "0.7.6" }');
    const whole = await readFile(path.resolve('node_modules/solc-0.7.6/soljson.js'));
    await writeFile(path.join(own, 'soljson.js'), whole.subarray(0, 100_000));
    const made = compilers({ installed: new InstalledCompilers([folder]), retryMs: 1 });
    const reason = reasonOf(await made.compile(long('0.7.6'), input(CONTRACT)));
    assert.match(reason, /^solc 0\.7\.6 failed: SyntaxError/);
    await writeFile(path.join(own, 'soljson.js'), whole);
    const compiled = await eventually(async () => {
      const next = await made.compile(long('0.7.6'), input(CONTRACT));
      assert.notEqual(reasonOf(next), reason);
      return next;
    }, COMPILE_MS);
    assert.ok('output' in compiled, reasonOf(compiled));
  });

  it('run one at a time', async () => {
    const log = path.join(folder, 'log');
    const noted = `echo start >> "${log}"; "$@"; echo end >> "${log}"`;
    const made = compilers({
      launch: (file, args) =>
        Promise.resolve({ file: 'sh', args: ['-c', noted, 'sh', file, ...args], stdin: 'ignore' }),
    });
    const texts = [1, 2, 3].map((number) => `${CONTRACT} // ${number}`);
    const all = await Promise.all(
      [...texts, ...texts].map((text) => made.compile(long('0.7.6'), input(text))),
    );
    assert.ok(all.every((one) => 'output' in one));
    assert.equal(await readFile(log, 'utf8'), 'start\nend\n'.repeat(3));
  });

  it('end with the service', async () => {
    const made = compilers();
    const compiling = made.compile(long('0.8.30'), input(LONG));
    await eventually(() => {
      assert.notEqual(launched, 0);
    });
    await made.close();
    assert.equal(reasonOf(await compiling), 'solc 0.8.30 was stopped');
  });

  it('leave what they gave on disk, also why they refuse sources', async () => {
    const stored = (): Compilers => compilers({ store: new SourceFiles(folder) });
    for (const text of [CONTRACT, 'contract A { wrong }']) {
      const first = await stored().compile(long('0.8.30'), input(text));
      const count = launched;
      assert.deepEqual(await stored().compile(long('0.8.30'), input(text)), first);
      assert.equal(launched, count);
    }
  });

  it('run again where the file is damaged', async () => {
    const stored = (): Compilers => compilers({ store: new SourceFiles(folder) });
    const first = await stored().compile(long('0.8.30'), input(CONTRACT));
    const names = await readdir(folder, { recursive: true });
    const file = path.join(
      folder,
      names.find((name) => name.endsWith('.json.gz'))!,
    );
    const bytes = await readFile(file);
    for (const damaged of [
      bytes.subarray(0, bytes.length / 2),
      Buffer.from('{}'),
      Buffer.alloc(0),
    ]) {
      await writeFile(file, damaged);
      const count = launched;
      assert.deepEqual(await stored().compile(long('0.8.30'), input(CONTRACT)), first);
      assert.equal(launched, count + 1);
    }
  });
});
