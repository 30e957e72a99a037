import { VERSIONS } from '../solidity';
import { golden } from './golden';
import type { Scene } from './stage';

const scene: Omit<Scene, 'transaction'> = {
  file: 'FunctionTypes.sol',
  deploy: { types: ['FunctionTypes'] },
};
const run: Scene = {
  ...scene,
  transaction: { to: 'types', call: 'run(uint256)', arguments: [2] },
};
const own = 'types.0x8f5383a4 (FunctionTypes.same)';
const optimizer = { enabled: true, runs: 200 };

describe('golden scripts of variables of function types', function () {
  this.timeout(60_000);
  for (const version of VERSIONS) {
    golden(`${version}: local ones, arguments and state variables`, { ...run, version }, [
      { goto: 'FunctionTypes.sol:21', values: { kept: 'FunctionTypes.square' } },
      { over: 1, at: 'FunctionTypes.sol:22' },
      {
        over: 1,
        at: 'FunctionTypes.sol:23',
        values: { n: '2', out: '0', a: '3', chosen: 'FunctionTypes.cube' },
      },
      {
        goto: 'FunctionTypes.sol:13',
        stack: ['FunctionTypes.cube(z: 3):13', 'FunctionTypes.run(n: 2):23'],
      },
      { out: 1 },
      { over: 1, at: 'FunctionTypes.sol:24', values: { b: '27' } },
      { over: 1, at: 'FunctionTypes.sol:25', values: { fixed_: 'FunctionTypes.square' } },
      {
        over: 1,
        at: 'FunctionTypes.sol:26',
        locals: {
          n: '2',
          out: '0',
          a: '3',
          chosen: 'FunctionTypes.cube',
          b: '27',
          fixed_: 'FunctionTypes.square',
          own,
          // Before 0.5 a function makes all its variables where it begins.
          ...(version === '0.4.26' && { c: '0' }),
        },
      },
      {
        goto: 'FunctionTypes.sol:34',
        locals: { f: 'FunctionTypes.cube', to: '731' },
        state: { kept: 'FunctionTypes.cube', away: own, result: '0' },
      },
      { continue: 'end', state: { kept: 'FunctionTypes.cube', away: own, result: '390617891' } },
    ]);
  }

  golden(
    'a constructor holds the offsets of two codes',
    { ...scene, deploy: {}, transaction: { create: 'Maker' } },
    [
      { goto: 'FunctionTypes.sol:43', locals: { f: 'Maker.twice' } },
      { continue: 'end', state: { made: '42' } },
    ],
  );

  for (const settings of [{ optimizer }, { viaIR: true }, { viaIR: true, optimizer }]) {
    golden(`each is a statement of its own: ${JSON.stringify(settings)}`, { ...run, settings }, [
      { goto: 'FunctionTypes.sol:22' },
      { goto: 'FunctionTypes.sol:25' },
      { continue: 'end', state: { kept: 'FunctionTypes.cube', away: own, result: '390617891' } },
    ]);
  }
});
