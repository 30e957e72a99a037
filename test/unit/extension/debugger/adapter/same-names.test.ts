import assert from 'node:assert/strict';
import { Breakpoints } from '../../../../../extension/debugger/adapter/breakpoints';
import { Lines } from '../../../../../extension/debugger/adapter/lines';
import type { RecordedTransaction } from '../../../../../extension/debugger/adapter/recorded-transaction';
import { Sources } from '../../../../../extension/debugger/adapter/sources';

const FILE = 'src/Token.sol';
const TEXTS = [
  'uint a = 1;\nuint b = 2;\n',
  'uint c = 3;\nuint d = 4;\n',
  'uint a = 1;\nuint b = 2;\n',
];

/** Three codes with a file of one name: two texts. */
const fileOf = (contract: number, file: string) =>
  Promise.resolve({ file, content: TEXTS[contract] });
const recorded = {
  recording: { contracts: TEXTS.map(() => ({ name: 'Token', hasLines: true, files: [FILE] })) },
  file: fileOf,
  lines: () => Promise.resolve(new Map([1, 2].map((line) => [line, { line, steps: [line] }]))),
} as unknown as RecordedTransaction;

describe('sources of one name', () => {
  it('belong to a code that has lines, where another one has the same text without', async () => {
    const contracts = [false, true, true].map((hasLines) => ({ hasLines, files: [FILE] }));
    const partly = { recording: { contracts }, file: fileOf } as unknown as RecordedTransaction;
    const byReference = new Sources(partly, undefined);
    const shown = await byReference.of(0, FILE);
    assert.equal((await byReference.fileOf(shown))?.contract, 2);
    const byPath = new Sources(partly, (_, { file, contract }) =>
      Promise.resolve(`/${contract}/${file}`),
    );
    assert.equal((await byPath.fileOf(await byPath.of(0, FILE)))?.contract, 2);
    assert.equal((await byPath.fileOf({ path: `/1/${FILE}` }))?.contract, 1);
  });

  it('are one where their texts are', async () => {
    const sources = new Sources(recorded, undefined);
    const references = (await sources.all()).map(({ sourceReference }) => sourceReference);
    assert.deepEqual(references, [1, 2]);
    assert.deepEqual(await sources.of(2, FILE), await sources.of(0, FILE));
    assert.equal((await sources.textOf(2))?.content, TEXTS[1]);
  });

  it('keep their breakpoints apart, with and without paths on the client', async () => {
    for (const locate of [
      undefined,
      (_: unknown, { contract }: { contract: number }) => Promise.resolve(`/${contract}/Token.sol`),
    ]) {
      const sources = new Sources(recorded, locate);
      const breakpoints = new Breakpoints(recorded, sources, new Lines({}));
      const [first, second] = await sources.all();
      await breakpoints.setLines({ source: first!, breakpoints: [{ line: 1 }] });
      await breakpoints.setLines({ source: second!, breakpoints: [{ line: 2 }] });
      assert.deepEqual(breakpoints.conditions.lines, [
        { id: 1, contract: 0, file: FILE, line: 1 },
        { id: 2, contract: 1, file: FILE, line: 2 },
      ]);
      await breakpoints.setLines({ source: first!, breakpoints: [] });
      assert.deepEqual(
        breakpoints.conditions.lines.map(({ id }) => id),
        [2],
      );
    }
  });
});
