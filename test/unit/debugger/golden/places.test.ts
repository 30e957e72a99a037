import assert from 'node:assert/strict';
import { debug } from './golden';
import type { Scene } from './stage';

const factorial: Scene = {
  file: 'Arithmetic.sol',
  deploy: { numbers: ['Arithmetic'] },
  transaction: { to: 'numbers', call: 'factorial(uint256)', arguments: [4] },
};
const optimizer = { enabled: true, runs: 200 };

describe('each step of a recording', () => {
  const scenes: readonly (readonly [string, Scene])[] = [
    ['legacy code', factorial],
    ['optimized code', { ...factorial, settings: { optimizer } }],
    ['code compiled via IR', { ...factorial, settings: { viaIR: true } }],
    [
      'code compiled via IR with the optimizer',
      { ...factorial, settings: { viaIR: true, optimizer } },
    ],
    [
      'code of Solidity 0.4.26',
      {
        file: 'Bank.sol',
        version: '0.4.26',
        deploy: { bank: ['Bank'] },
        before: [{ to: 'bank', data: '0x', value: 100n }],
        transaction: { from: 'deployer', to: 'bank', call: 'open(uint256)', arguments: [11] },
      },
    ],
    [
      'code without source, called by code with one',
      {
        file: 'Failures.sol',
        deploy: { reader: ['Reader'] },
        codes: { nine: '6000' },
        transaction: { to: 'reader', call: 'swallow(address)', arguments: ['nine'] },
      },
    ],
  ];
  for (const [title, scene] of scenes) {
    it(`has a place in ${title}, or its code says why not`, async () => {
      const session = await debug(scene);
      const { recording } = session;
      assert.ok(recording.steps > 0);
      for (let at = 0; at < recording.steps; at++) {
        const { place, contract } = await session.step(at);
        const { unavailable, hasLines } = recording.contracts[contract]!;
        assert.ok(place !== undefined || unavailable !== undefined, `step ${at}`);
        assert.equal(place !== undefined, hasLines, `step ${at}`);
      }
    });
  }
});
