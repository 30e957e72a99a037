import assert from 'node:assert/strict';
import { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { Stage, type Scene } from './golden/stage';

const SCENES: Readonly<Record<string, Scene>> = {
  'Solidity 0.4.26': {
    file: 'Bank.sol',
    version: '0.4.26',
    deploy: { bank: ['Bank'] },
    before: [{ to: 'bank', data: '0x', value: 100n }],
    transaction: { from: 'deployer', to: 'bank', call: 'open(uint256)', arguments: [11] },
  },
  'Solidity 0.6.12': {
    file: 'Market.sol',
    version: '0.6.12',
    deploy: { market: ['Market'], buyer: ['Buyer'] },
    transaction: { to: 'buyer', call: 'tour(address)', arguments: ['market'] },
  },
  'Solidity 0.8.30': {
    file: 'Inheritance.sol',
    deploy: { both: ['Both'] },
    transaction: { to: 'both', call: 'visit(uint256)', arguments: [1] },
  },
};
const optimizer = { enabled: true, runs: 200 };
const { signal } = new AbortController();

const linesOf = (
  debugged: DebuggedTransaction,
  from: number,
  direction: 1 | -1,
  depth: 'into' | 'over',
): number[] => {
  const found: number[] = [];
  let at: number | undefined = from;
  for (;;) {
    at = debugged.stops.find(at, direction, depth);
    if (at === undefined) return found;
    found.push(at);
  }
};

describe('stepping over', () => {
  for (const [version, scene] of Object.entries(SCENES)) {
    for (const settings of [{ optimizer }, { viaIR: true }, { viaIR: true, optimizer }]) {
      if (scene.version !== undefined && 'viaIR' in settings) continue;
      it(`passes over no other line of the same call: ${version}, ${JSON.stringify(settings)}`, async () => {
        const { recorded, programs } = new Stage({ ...scene, settings }).record();
        const debugged = await DebuggedTransaction.open(recorded, programs, signal);
        const { stops, calls } = debugged;
        const lineOf = (step: number) => stops.line(stops.indexAt(step))?.line;
        const all = linesOf(debugged, -1, 1, 'into');
        const passed = all.flatMap((from) => {
          const next = stops.find(from, 1, 'over') ?? Infinity;
          return all
            .filter((step) => step > from && step < next)
            .filter((step) => calls.callOf[step] === calls.callOf[from])
            .filter((step) => lineOf(step) !== lineOf(from))
            .map((step) => `${lineOf(from)} passes over ${lineOf(step)}`);
        });
        assert.deepEqual(passed, []);
      });
    }
  }

  it('goes backwards along the same stops', async () => {
    const scene = { ...SCENES['Solidity 0.6.12']!, settings: { optimizer } };
    const { recorded, programs } = new Stage(scene).record();
    const debugged = await DebuggedTransaction.open(recorded, programs, signal);
    const first = debugged.stops.find(-1, 1) ?? -1;
    const forwards = [first, ...linesOf(debugged, first, 1, 'over')];
    const last = forwards.at(-1) ?? -1;
    const backwards = [last, ...linesOf(debugged, last, -1, 'over')];
    assert.deepEqual(backwards.reverse(), forwards);
    const { stops } = debugged;
    const lines = forwards.map((step) => stops.line(stops.indexAt(step))?.line);
    assert.deepEqual(lines.slice(0, 4), [44, 45, 43, 45]);
  });
});
