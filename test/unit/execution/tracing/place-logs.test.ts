import assert from 'node:assert/strict';
import type { Log } from '../../../../server/analysis/call-frame';
import { placeLogs } from '../../../../server/execution/tracing/place-logs';
import type { CallFrame } from '../../../../server/execution/tracing/call-tracer-frame';
import { account } from '../../../support/analysis';

const [USER, SHOP, TOKEN, CODE] = [1, 2, 3, 4].map(account) as [string, string, string, string];
const gas = { gas: '0x1', gasUsed: '0x1', input: '0x' };
const call = (from: string, to: string, facts: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from,
  to,
  ...gas,
  ...facts,
});
const log = (address: string, data: string): Log =>
  ({ address, topics: [], data }) as unknown as Log;

/** Contract, number of calls before it, and data of each log, by frame in the order of execution. */
function placed(root: CallFrame): unknown[] {
  const { logs = [] } = root as { logs?: { data: string; position: number }[] };
  const own = logs.map(({ data, position }) => [root.type, root.to, position, data]);
  return [...own, ...(root.calls ?? []).flatMap(placed)];
}

describe('the logs of a receipt in a tree of calls', () => {
  it('are in the earliest call of their contract, after the log before', () => {
    const root = call(USER, SHOP, {
      calls: [call(SHOP, TOKEN), call(SHOP, CODE), call(SHOP, TOKEN)],
    });
    const logs = [log(SHOP, '0x01'), log(TOKEN, '0x02'), log(SHOP, '0x03'), log(TOKEN, '0x04')];
    assert.equal(placeLogs(root, logs), true);
    assert.deepEqual(placed(root), [
      ['CALL', SHOP, 0, '0x01'],
      ['CALL', SHOP, 1, '0x03'],
      ['CALL', TOKEN, 0, '0x02'],
      ['CALL', TOKEN, 0, '0x04'],
    ]);
  });

  it('are those of the code behind a proxy, which executes in the name of the proxy', () => {
    const inner = call(TOKEN, CODE, { type: 'DELEGATECALL' });
    const root = call(USER, TOKEN, { calls: [inner] });
    assert.equal(placeLogs(root, [log(TOKEN.toUpperCase().replace('0X', '0x'), '0x01')]), true);
    assert.deepEqual(placed(root), [['DELEGATECALL', CODE, 0, '0x01']]);
    const forwarding = call(USER, TOKEN, {
      calls: [call(TOKEN, CODE, { type: 'DELEGATECALL', calls: [call(TOKEN, SHOP)] })],
    });
    const logs = [log(TOKEN, '0x01'), log(SHOP, '0x02'), log(TOKEN, '0x03')];
    assert.equal(placeLogs(forwarding, logs), true);
    assert.equal(placed(forwarding).length, 3);
  });

  it('are in no static and no failed call, nor below one', () => {
    const failed = call(SHOP, TOKEN, { error: 'execution reverted', calls: [call(TOKEN, CODE)] });
    const reading = call(SHOP, TOKEN, { type: 'STATICCALL', calls: [call(TOKEN, CODE)] });
    const root = call(USER, SHOP, { calls: [failed, reading, call(SHOP, TOKEN)] });
    assert.equal(placeLogs(root, [log(TOKEN, '0x01')]), true);
    assert.deepEqual(placed(root), [['CALL', TOKEN, 0, '0x01']]);
    assert.equal(root.calls?.at(-1), (root.calls ?? [])[2]);
    assert.equal(placeLogs(root, [log(CODE, '0x01')]), false);
  });

  it('do not fit a tree whose calls cannot have emitted them', () => {
    const root = call(USER, SHOP, { calls: [call(SHOP, TOKEN)] });
    assert.equal(placeLogs(root, [log(TOKEN, '0x01'), log(CODE, '0x02')]), false);
    assert.equal(
      placeLogs(root, [log(TOKEN, '0x01'), log(SHOP, '0x02'), log(TOKEN, '0x03')]),
      false,
    );
  });
});
