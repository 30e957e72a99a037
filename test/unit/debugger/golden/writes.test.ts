import assert from 'node:assert/strict';
import type { FindRequest } from '../../../../server/api/recording-search';
import { SEARCH } from '../../../support/golden/debugger';
import { VERSIONS, type Settings, type Version } from '../solidity';
import { debug } from './golden';

type Access = FindRequest['slots'][number]['access'];
const optimizer = { enabled: true, runs: 200 };

/** Lines at which a variable is written, each once for stops that follow one another. */
async function linesOf(
  version: Version,
  settings: Settings,
  expression: string,
  access: Access = 'write',
): Promise<number[]> {
  const session = await debug({
    file: 'Packed.sol',
    version,
    settings,
    deploy: { packed: ['Packed'] },
    transaction: { to: 'packed', call: 'run(uint64)', arguments: [1] },
  });
  const last = session.recording.steps - 1;
  const { address, slot, offset, length, slots, type } = await session.evaluate(last, {
    expression,
  });
  const lines: number[] = [];
  for (let from = 0; ;) {
    const found = await session.find({
      ...SEARCH,
      from,
      mode: 'continue',
      slots: [
        {
          id: 1,
          address: address as `0x${string}`,
          slot: slot!,
          offset,
          length,
          slots,
          access,
          ...(type === 'string' && { isBytes: true }),
        },
      ],
    });
    if (found.reason !== 'data') return lines;
    from = found.step;
    const line = (await session.step(from)).callStack[0]?.place?.startLine ?? 0;
    if (line !== lines.at(-1)) lines.push(line);
  }
}

const WRITES: readonly (readonly [expression: string, ...lines: number[]])[] = [
  ['pair', 21, 22, 23, 26, 27, 39],
  ['pair.a', 21, 39],
  ['pair.b', 22, 27, 39],
  ['pair.c', 23, 26, 39],
  ['same'],
  ['tiny'],
  ['flag', 28],
  ['few', 30, 31],
  ['few[1]', 30],
  ['few[2]', 31],
  ['short', 34],
  ['long', 36],
  ['pairs[1].b', 37],
  ['pairs[1].c', 38],
];

describe('data breakpoints on writes', () => {
  for (const version of VERSIONS) {
    for (const [expression, ...lines] of WRITES) {
      it(`${version}: stop where ${expression} changes`, async () => {
        assert.deepEqual(await linesOf(version, {}, expression), lines);
      });
    }
  }

  for (const [expression, ...lines] of WRITES.slice(4)) {
    it(`via IR: stop where ${expression} changes`, async () => {
      assert.deepEqual(await linesOf('0.8.30', { viaIR: true }, expression), lines);
    });
  }

  it('of the optimizer, which writes members together, stop for each of them', async () => {
    for (const name of ['pair', 'pair.a', 'pair.b', 'pair.c']) {
      const [first] = await linesOf('0.8.30', { optimizer }, name);
      assert.equal(first, 23, name);
    }
  });

  for (const [expression, ...lines] of [
    ['same', 24],
    ['tiny', 28, 29],
    ['flag', 28, 29],
    ['few[2]', 30, 31, 32],
  ] as const) {
    it(`stop at writes of ${expression} that change nothing where they are asked for`, async () => {
      assert.deepEqual(await linesOf('0.8.30', {}, expression, 'readWrite'), lines);
    });
  }
});
