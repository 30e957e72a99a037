import assert from 'node:assert/strict';
import type { FindRequest } from '../../../../server/api/recording-search';
import { SEARCH } from '../../../support/golden/debugger';
import { VERSIONS, type Version } from '../solidity';
import { debug, golden } from './golden';
import type { Scene } from './stage';

const optimizer = { enabled: true, runs: 200 };
const SETTINGS = [{}, { optimizer }, { viaIR: true }, { viaIR: true, optimizer }];

/** Functions of the calls that fail, with the reasons. */
async function failuresOf(scene: Scene, failures: FindRequest['failures']): Promise<string[]> {
  const session = await debug(scene);
  const found: string[] = [];
  for (let from = 0; ;) {
    const { step, reason, text } = await session.find({
      ...SEARCH,
      from,
      mode: 'continue',
      failures,
    });
    if (reason !== 'failure') return found;
    const { callStack } = await session.step(step);
    const call = callStack.find(({ kind }) => kind === 'external');
    found.push(`${call?.function}: ${text}`);
    from = step;
  }
}

const long = 'a reason that is much longer than thirty-two bytes, so that its data are as well';
const none = 'reverted without a message';
const assertion = (version: Version): string =>
  version === '0.8.30' ? 'Panic: assertion failed (0x01)' : 'invalid opcode';

describe('uncaught failures', () => {
  for (const version of VERSIONS) {
    for (const settings of version === '0.8.30' ? SETTINGS : [{}]) {
      const halted = assertion(version);
      for (const [to, call, uncaught, ...caught] of [
        ['middle', 'passOn', 'fail: inner'],
        ['middle', 'passOnLong', `long: ${long}`],
        ['middle', 'passOnWithout', `failWithout: ${none}`],
        ['middle', 'passOnHalt', `halt: ${halted}`],
        ['middle', 'check', 'fail: inner', 'check: checked'],
        ['middle', 'checkWithout', `failWithout: ${none}`, `checkWithout: ${none}`],
        ['middle', 'repeat', 'repeat: inner', 'fail: inner'],
        ['middle', 'later', `later: ${halted}`, `halt: ${halted}`],
        ['outer', 'passOn', 'fail: inner'],
        ['outer', 'check', 'fail: inner', 'check: checked'],
      ] as const) {
        it(`${version} ${JSON.stringify(settings)}: ${to}.${call}`, async () => {
          const scene: Scene = {
            file: 'Reverts.sol',
            version,
            settings,
            deploy: { middle: ['Middle'], outer: ['Outer'] },
            transaction: { to, call: `${call}()` },
          };
          assert.deepEqual(await failuresOf(scene, 'uncaught'), [uncaught]);
          // A call that halts gives no reason to its caller, which reverts without one.
          const isHalted = call === 'passOnHalt' && version !== '0.8.30';
          const passedOn = isHalted ? [`passOnHalt: ${none}`] : [];
          const all = [...caught, uncaught, ...passedOn];
          assert.deepEqual((await failuresOf(scene, 'all')).sort(), all.sort());
        });
      }
    }
  }

  for (const version of ['0.6.12', '0.8.30'] as const) {
    for (const settings of version === '0.8.30' ? SETTINGS : [{}]) {
      for (const [call, uncaught, ...caught] of [
        ['ignore', 'ignore: the real one', 'fail: inner'],
        ['ignoreSame', 'ignoreSame: inner', 'fail: inner'],
        ['ignoreWithout', `ignoreWithout: ${none}`, `failWithout: ${none}`],
        ['again', 'again: inner', 'fail: inner'],
        ['passOn', 'fail: inner'],
        ['passOnByCall', 'fail: inner'],
        ['loop', `failWithout: ${none}`, 'fail: inner', 'fail: inner', 'fail: inner'],
      ] as const) {
        it(`${version} ${JSON.stringify(settings)}: ${call}`, async () => {
          const scene: Scene = {
            file: 'Caught.sol',
            version,
            settings,
            deploy: { caught: ['Caught'] },
            transaction: { to: 'caught', call: `${call}()` },
          };
          assert.deepEqual(await failuresOf(scene, 'uncaught'), [uncaught]);
          assert.deepEqual(await failuresOf(scene, 'all'), [...caught, uncaught]);
        });
      }
    }
  }

  golden(
    'stop at their line alone',
    {
      file: 'Caught.sol',
      deploy: { caught: ['Caught'] },
      transaction: { to: 'caught', call: 'ignore()' },
    },
    [
      { continue: { failure: 'uncaught' }, at: 'Caught.sol:17', says: 'the real one' },
      { continue: 'end' },
      { reverse: { failure: 'all' }, at: 'Caught.sol:8', says: 'inner' },
    ],
  );

  it('pass through code that cannot read their data', async () => {
    const scene: Scene = {
      file: 'Reverts.sol',
      version: '0.4.26',
      settings: { evmVersion: 'homestead' },
      deploy: { outer: ['Outer'] },
      transaction: { to: 'outer', call: 'passOn()' },
    };
    assert.deepEqual(await failuresOf(scene, 'uncaught'), ['fail: inner']);
    assert.deepEqual(await failuresOf(scene, 'all'), ['fail: inner']);
  });
});
