import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import { CommandLine } from '../support/command-line';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SWAP = sandboxHash('swap-two-hops');
const ATTACK = sandboxHash('exploit-reentrancy');
const CALL = {
  from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  to: '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690',
  data: '0x',
  height: '0xb',
};

const BOOK = `---
chain: sandbox
---

# Story

\`\`\`yaml forklens-analyze
${SWAP}
\`\`\`

\`\`\`json forklens-simulate
${JSON.stringify(CALL)}
\`\`\`
`;

describe('forklens case create, with other subjects than a transaction', function () {
  this.timeout(120_000);
  let home: string;
  let service: TestService;
  let cli: CommandLine;
  const fileOf = (name: string): string => join(home, name);
  before(async () => {
    home = await makeTemporaryDirectory();
    service = await startService({ args: ['--sandbox'] });
    cli = new CommandLine(home, { FORKLENS_DATA_DIR: service.dataDir });
    await writeFile(fileOf('call.json'), JSON.stringify(CALL));
  });
  after(async () => {
    await service.stop();
    await removeDirectory(home);
  });

  const created = async (name: string, ...args: string[]): Promise<OpenCaseView> => {
    const file = fileOf(`${name}.forklens`);
    const written = await cli.json<WrittenCase>('case', 'create', 'sandbox', ...args, '-o', file);
    assert.equal(written.file, file);
    return cli.json<OpenCaseView>('open', file);
  };

  it('writes a simulation with its title', async () => {
    const args = ['--simulation', fileOf('call.json'), '--title', 'a plain call'];
    const { analyses, transaction } = await created('call', ...args);
    assert.equal(transaction, undefined);
    const [only] = analyses;
    assert.ok(only && 'simulation' in only);
    assert.deepEqual([only.title, only.simulation['height']], ['a plain call', '0xb']);
  });

  it('writes a comparison', async () => {
    const { analyses, shown } = await created('two', SWAP, '--compare', ATTACK);
    assert.deepEqual(shown, { kind: 'comparison' });
    assert.deepEqual(
      analyses.map((one) => 'transaction' in one && one.transaction),
      [SWAP, ATTACK],
    );
  });

  it('writes a debugger session with its step and breakpoints', async () => {
    const places = ['--breakpoint', 'contracts/Pool.sol:12', '--breakpoint', 'Pool.swap'];
    const { shown } = await created('session', SWAP, '--step', '40', ...places);
    assert.deepEqual(shown, {
      kind: 'debugger',
      step: 40,
      build: 'executed',
      breakpoints: [{ source: 'contracts/Pool.sol', line: 12 }, { function: 'Pool.swap' }],
    });
  });

  it('writes a notebook on the chain that it names', async () => {
    const file = fileOf('story.forklens-book');
    await writeFile(file, BOOK);
    const written = await cli.json<WrittenCase>(
      'case',
      'create',
      '--notebook',
      file,
      '-o',
      fileOf('b.forklens'),
    );
    const { analyses, shown } = await cli.json<OpenCaseView>('open', written.file);
    assert.deepEqual(shown, { kind: 'notebook', name: 'story.forklens-book', text: BOOK });
    assert.deepEqual(
      analyses.map((one) => ('transaction' in one ? one.transaction : one.simulation['data'])),
      [SWAP, '0x'],
    );
  });

  it('names the cell or the line of a notebook that it cannot write', async () => {
    for (const [text, message] of [
      ['# nothing', /book\.md: The book is bound to no fork or chain/],
      ['---\nchain: sandbox\n---\n# a', /No cell of the notebook shows an analysis/],
      [BOOK.replace(SWAP, 'last'), /Cell 2 analyzes "last": write the hash/],
      [BOOK.replace(SWAP, '0x12'), /transaction: got "0x12", takes 0x and 64 hex digits/],
    ] as const) {
      await writeFile(fileOf('book.md'), text);
      const words = ['case', 'create', '--notebook', 'book.md'];
      const { code, stderr } = await cli.run(words, { cwd: home });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
    const missing = await cli.run(['case', 'create', '--notebook', 'none.md'], { cwd: home });
    assert.match(missing.stderr, /none\.md cannot be read/);
    const words = ['case', 'create', '--notebook', 'book.md', '--title', 'a'];
    const titled = await cli.run(words, { cwd: home });
    assert.match(titled.stderr, /--title is given without --simulation/);
    const chainless = await cli.run(['case', 'create', '--simulation', fileOf('call.json')]);
    assert.match(chainless.stderr, /<chain> is missing; accepted: the slug of a chain/);
  });

  const refusals: readonly [string, readonly string[], RegExp][] = [
    ['no subject', [], /the subject is missing or given twice/],
    ['two subjects', [SWAP, '--simulation', 'call.json'], /the subject is missing or given twice/],
    ['a notebook beside a chain', ['--notebook', 'a.md'], /--notebook is given with <chain>/],
    ['a title of a transaction', [SWAP, '--title', 'a'], /--title is given without --simulation/],
    ['a chain to compare with alone', [SWAP, '--compare-chain', 'eth'], /without --compare/],
    ['a comparison in the debugger', [SWAP, '--compare', ATTACK, '--step', '1'], /one of them/],
    ['another ending', [SWAP, '-o', 'case.zip'], /"case\.zip"; accepted: a path that ends with/],
    ['a line that is none', [SWAP, '--breakpoint', 'A.sol:0'], /"A\.sol:0"|A\.sol:0/],
    ['a simulation that is missing', ['--simulation', 'none.json'], /none\.json cannot be read/],
    ['a proof of a simulation', ['--simulation', 'call.json', '--prove'], /prove/],
  ];
  for (const [what, args, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await cli.run(['case', 'create', 'sandbox', ...args], { cwd: home });
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    });
  }
});
