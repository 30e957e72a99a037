import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeShapes } from '../../../../server/contracts/abi/code-shapes';
import type { Hex } from '../../../../server/api/primitives';
import { loadSandboxContracts } from '../../../../server/chains/sandbox/parts/contracts';
import { compileTestContracts } from '../../../support/sandbox';

const TRANSFER: Hex = '0xa9059cbb';
const UNKNOWN: Hex = '0x12345678';

describe('CodeShapes', () => {
  before(async () => {
    await compileTestContracts();
    const root = join(__dirname, '../../../..');
    const wasm = 'evmole_bg.wasm'; // like the build
    await copyFile(join(root, 'node_modules/evmole/dist', wasm), join(root, 'dist', wasm));
  });

  it('reads the argument types of a function from real bytecode', async () => {
    const code = loadSandboxContracts()['HarborToken']!.deployedBytecode;
    const found = await new CodeShapes().of([code], new Set([TRANSFER, UNKNOWN]));
    assert.equal(found?.functions(TRANSFER)[0]?.format('sighash'), 'shape(address,uint256)');
    assert.deepEqual(found.functions(UNKNOWN), []);
    assert.deepEqual(found.functions('0x095ea7b3'), []);
  });

  it('reads code once, and only code that contains the selector', async () => {
    const read: Hex[] = [];
    const shapes = new CodeShapes((code) => {
      read.push(code);
      return Promise.resolve([{ selector: TRANSFER, types: 'address,uint256' }]);
    });
    const code: Hex = '0x63a9059cbb';
    await shapes.of([code, '0x6000'], new Set([TRANSFER]));
    assert.ok(await shapes.of([code], new Set([TRANSFER])));
    assert.deepEqual(read, [code]);
    assert.equal(await shapes.of([code], new Set([UNKNOWN])), undefined);
  });

  it('returns undefined for unreadable code and for invalid types', async () => {
    const broken = new CodeShapes(() => Promise.reject(new Error('unreachable')));
    assert.equal(await broken.of(['0x63a9059cbb'], new Set([TRANSFER])), undefined);
    const strange = new CodeShapes(() => Promise.resolve([{ selector: TRANSFER, types: 'a((' }]));
    const found = await strange.of(['0x63a9059cbb'], new Set([TRANSFER]));
    assert.deepEqual(found?.functions(TRANSFER), []);
  });

  it('reads each code once, however many selectors are unknown', async () => {
    const codes = Array.from(
      { length: 40 },
      (_, n): Hex => `0x${n.toString(16).padStart(2, '0')}${'5b'.repeat(24_000)}`,
    );
    const selectors = new Set(
      Array.from({ length: 20_000 }, (_, n): Hex => `0x${(0xa0000000 + n).toString(16)}`),
    );
    const start = process.cpuUsage();
    const shapes = new CodeShapes(() => Promise.reject(new Error('not read')));
    assert.equal(await shapes.of(codes, selectors), undefined);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 1_000_000, `${user} µs`);
  });
});
