import assert from 'node:assert/strict';
import type { FindRequest } from '../../../../server/api/recording-search';
import { SEARCH, type Debugger } from '../../../support/golden/debugger';
import { debug } from './golden';
import type { Scene } from './stage';

const scene: Scene = {
  file: 'Names.sol',
  deploy: { first: ['First'], second: ['Second'] },
  transaction: { to: 'second', call: 'buy(address,uint256)', arguments: ['first', 5] },
};
const LINES = [10, 15, 25, 26, 28, 32, 44, 45, 47, 48, 52, 54, 62, 63, 67, 68];
const NAMES = [
  'SCALE',
  'LIMIT',
  'Price',
  'Mood',
  'Order',
  'Sums',
  'First',
  'Base',
  'hidden',
  'shared',
  'given',
  'left',
  'sum',
  'bound',
  'checked',
  'amount',
  'orders',
  'mood',
  'total',
  'maker',
  'paid',
  'i',
  'part',
  'count',
  'first',
  'msg',
  'this',
  'now',
  'twice',
  'plus',
  'nothing',
];
/** Expressions of a name: each is a value for some kind of name. */
const FORMS = ['#', '# == #', '#(1)', '#.Calm', '#(1, msg.sender).size', '#.size', '#.total()'];
const line = (number: number, condition?: string) => ({
  id: 1,
  file: 'Names.sol',
  line: number,
  ...(condition !== undefined && { condition }),
});

/** Whether a breakpoint on a line is set. @returns why not; undefined if it is */
async function refusal(session: Debugger, number: number, condition: string) {
  const from = session.recording.steps - 1;
  const lines = [line(number, condition)];
  const request: FindRequest = { ...SEARCH, mode: 'continue', from, lines };
  return session.find(request).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

async function stopsOf(session: Debugger, number: number): Promise<number[]> {
  const found: number[] = [];
  for (let from = 0; ;) {
    const lines = [line(number)];
    const request: FindRequest = { ...SEARCH, mode: 'continue', from, lines };
    const { step, reason } = await session.find(request);
    if (reason === 'end') return found;
    found.push((from = step));
  }
}

for (const settings of [{}, { optimizer: { enabled: true } }, { viaIR: true }]) {
  describe(`names in conditions of breakpoints, with ${JSON.stringify(settings)}`, function () {
    this.timeout(60_000);
    let session: Debugger;
    before(async () => {
      session = await debug({ ...scene, settings });
    });

    it('are accepted where they are evaluated at a stop', async () => {
      let accepted = 0;
      let refused = 0;
      for (const number of LINES) {
        const stops = await stopsOf(session, number);
        for (const name of NAMES) {
          for (const form of FORMS) {
            const expression = form.replaceAll('#', name);
            const outcomes = await Promise.all(
              stops.map((step) =>
                session.evaluate(step, { expression }).then(
                  () => true,
                  () => false,
                ),
              ),
            );
            const isEvaluated = outcomes.includes(true);
            const reason = await refusal(session, number, `${expression} == 1 || true`);
            if (isEvaluated) accepted++;
            if (isEvaluated)
              assert.equal((reason ?? '').includes(' is not known here'), false, reason);
            if (reason !== undefined) refused++;
          }
        }
      }
      assert.ok(accepted > 200 && refused > 400, `${accepted} accepted, ${refused} refused`);
    });

    it('are refused where they mean nothing at any stop', async () => {
      const reason = await refusal(session, 45, 'nothing > 1');
      assert.match(
        reason!,
        /^lines\[0\]\.condition "nothing > 1": nothing is not known here; known are .*amount.*total.* \(at character 1 of the expression\)$/,
      );
      assert.match((await refusal(session, 45, 'total > 1 + unknown(2)'))!, /unknown is not known/);
      assert.match((await refusal(session, 63, 'total > 1'))!, /total is not known here/);
    });

    it('are accepted where a part may skip them', async () => {
      for (const condition of ['true || nothing', 'false && nothing', 'true ? true : nothing']) {
        assert.equal(await refusal(session, 45, condition), undefined, condition);
      }
    });
  });
}

describe('names in conditions of breakpoints', function () {
  this.timeout(60_000);
  it('are accepted in code without a syntax tree', async () => {
    const alone = await debug({ codes: { one: '00' }, transaction: { to: 'one', data: '0x' } });
    const breakpoint = { id: 1, contract: 0, pc: 0, condition: 'nothing == 1' };
    const instructions = [breakpoint];
    const request: FindRequest = { ...SEARCH, mode: 'continue', instructions };
    assert.equal((await alone.find(request)).reason, 'end');
  });

  it('are refused for functions, slots, events and messages, too', async () => {
    const session = await debug(scene);
    const [first] = [...session.names].find(([, name]) => name === 'first')!;
    const condition = 'nothing == 1';
    const word = `0x${'0'.repeat(63)}` as const;
    for (const [kind, breakpoint] of [
      ['functions', { id: 1, name: 'buy', condition }],
      ['slots', { id: 1, address: first, slot: `${word}1`, access: 'write', condition }],
      ['lines', { ...line(45), message: 'it is {nothing}' }],
    ] as const) {
      const request = { ...SEARCH, from: 0, mode: 'continue', [kind]: [breakpoint] } as const;
      await assert.rejects(session.find(request), (error: Error) => {
        const field = kind === 'lines' ? 'message "nothing"' : 'condition "nothing == 1"';
        assert.ok(error.message.startsWith(`${kind}[0].${field}: nothing is not known here;`));
        return true;
      });
    }
  });
});
