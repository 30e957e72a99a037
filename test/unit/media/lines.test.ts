import assert from 'node:assert/strict';
import type { Event } from '../../../server/api/explorer';
import {
  callSegments,
  eventSegments,
  failureReason,
  reasonSegments,
  rowSegments,
  rowWithoutUnits,
  withoutArguments,
} from '../../../server/presentation/lines';
import { namesOf, plainText, reportText, type Segment } from '../../../server/presentation/segment';
import { valueSegments } from '../../../server/presentation/values';
import { invocation } from '../../ui-components/fixtures';

const ALICE = `0x${'a'.repeat(40)}`;
const ROUTER = `0x${'b'.repeat(40)}`;
const names = namesOf({ [ROUTER]: 'Router' });

const shown = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join('');
const value = (type: string, text: string): string => shown(valueSegments(type, text, names));

describe('media: values', () => {
  it('shows names for addresses and keeps the address for tooltip and clipboard', () => {
    assert.deepEqual(valueSegments('address', ROUTER, names), [
      {
        kind: 'address',
        text: 'Router',
        plain: ROUTER,
        title: `Router\n${ROUTER}`,
        whole: ROUTER,
        foreign: 'Router',
      },
    ]);
    assert.equal(value('address', ALICE), '0xaaaa…aaaa');
  });

  it('groups integers, and names the largest one', () => {
    assert.equal(value('uint256', '1234567890'), '1,234,567,890');
    assert.equal(value('int256', '-1000'), '-1,000');
    assert.equal(value('uint256', String(2n ** 256n - 1n)), 'max uint256');
  });

  it('folds bytes, and quotes text with escaped control characters', () => {
    assert.equal(value('bytes', `0x${'12'.repeat(500)}`), '0x1212…1212');
    assert.equal(value('string', 'a"b\u202e'), '"a"b\\u{202e}"');
    assert.equal(value('bool', 'true'), 'true');
  });

  it('parses arrays and tuples without losing digits', () => {
    const big = '123456789012345678901234567890';
    assert.equal(
      value('uint256[]', `[${big},"1000"]`),
      '[123,456,789,012,345,678,901,234,567,890, 1,000]',
    );
    assert.equal(value('(address,bool)', `{"to":"${ROUTER}","ok":true}`), '{to: Router, ok: true}');
    assert.equal(value('string[]', '["a,b","[c]"]'), '["a,b", "[c]"]');
  });

  it('folds long arrays and copies them in full', () => {
    const json = JSON.stringify(Array.from({ length: 1000 }, (_, index) => String(index)));
    const segments = valueSegments('uint256[]', json, names);
    assert.ok(shown(segments).endsWith('11…'), shown(segments));
    assert.equal(plainText(segments), json);
  });
});

describe('media: amounts in values', () => {
  const hUSD = (amount: string, path = '') => ({ path, asset: ALICE, symbol: 'hUSD', amount });

  it('shows the unit, with the plain number as tooltip and text to copy', () => {
    const [segment] = valueSegments('uint256', '2000000000', names, [hUSD('2000')]);
    assert.deepEqual(segment, {
      kind: 'value',
      text: '2,000 hUSD',
      plain: '2000000000',
      inUnits: '2,000 hUSD',
      title: '2000000000',
      amount: '2,000',
      foreign: 'hUSD',
    });
  });

  it('shows the token by its name or address if it has no symbol, and makes symbols inert', () => {
    const by = (asset: string, symbol?: string) => [{ path: '', asset, symbol, amount: 'max' }];
    const line = (asset: string, symbol?: string) =>
      shown(valueSegments('uint256', '1', names, by(asset, symbol)));
    assert.equal(line(ROUTER), 'max Router');
    assert.equal(line(ALICE), 'max 0xaaaa…aaaa');
    assert.equal(line(ALICE, 'U\u202eSD'), 'max U\\u{202e}SD');
  });

  it('shows times', () => {
    const time = [{ path: '', time: '2026-01-31T12:00:00Z' }];
    const [segment] = valueSegments('uint256', '1769860800', names, time);
    assert.equal(segment?.text, '2026-01-31 12:00:00 UTC');
  });

  it('shows units inside arrays and tuples, and copies the whole value', () => {
    const json = '[{"in":"1000000","to":["5","2000000"]},"7"]';
    const readings = [hUSD('1', '[0].in'), hUSD('2', '[0].to[1]')];
    const segments = valueSegments('(uint256,uint256[])[]', json, names, readings);
    assert.equal(shown(segments), '[{in: 1 hUSD, to: [5, 2 hUSD]}, 7]');
    assert.equal(plainText(segments), json);
    assert.equal(reportText(segments), '[{in: 1 hUSD, to: [5, 2 hUSD]}, 7]');
  });

  it('is switched off by rows without units', () => {
    const param = { name: 'value', type: 'uint256', value: '2000000000', readings: [hUSD('2000')] };
    const decodedMethod = {
      name: 'pay',
      signature: 'pay(uint256)',
      constructorArguments: '',
      callParams: [param],
      returnParams: [param],
    };
    const row = { nodeType: 0 as const, depth: 0, invocation: invocation({ decodedMethod }) };
    const line = (one: Parameters<typeof rowSegments>[0]) => shown(rowSegments(one, names));
    assert.match(line(row), /pay\(value: 2,000 hUSD\) → 2,000 hUSD$/);
    assert.match(line(rowWithoutUnits(row)), /pay\(value: 2,000,000,000\) → 2,000,000,000$/);
  });
});

describe('media: lines', () => {
  it('formats a decoded call with its result', () => {
    const segments = callSegments(
      invocation({
        address: ROUTER,
        methodDecoded: true,
        selector: '0xa9059cbb',
        decodedMethod: {
          name: 'transfer',
          signature: 'transfer(address,uint256)',
          callParams: [
            { name: 'to', type: 'address', value: ALICE },
            { name: '', type: 'uint256', value: '5000' },
          ],
          returnParams: [{ name: '', type: 'bool', value: 'true' }],
          constructorArguments: '',
        },
      }),
      names,
    );
    assert.equal(shown(segments), 'Router.transfer(to: 0xaaaa…aaaa, 5,000) → true');
    assert.equal(plainText(segments), `${ROUTER}.transfer(to: ${ALICE}, 5000) → true`);
  });

  it('tells the called contract, the names of arguments and their values apart', () => {
    const params = [{ name: 'to', type: 'address', value: `0x${'ab'.repeat(20)}` }];
    const decodedMethod = {
      name: 'send',
      signature: 'send(address)',
      constructorArguments: '',
      callParams: params,
      returnParams: [],
    };
    const segments = callSegments(invocation({ selector: '0x12345678', decodedMethod }), names);
    assert.deepEqual(
      segments.map(({ kind, isContract }) => (isContract ? `${kind} of a contract` : kind)),
      [
        'address of a contract',
        'quiet',
        'method',
        'quiet',
        'parameter',
        'quiet',
        'address',
        'quiet',
      ],
    );
  });

  it('names a call without data a native transfer, like the header', () => {
    const sent = callSegments(
      invocation({ address: ROUTER, selector: 'fallback', value: '1' }),
      names,
    );
    assert.equal(shown(sent), 'native transfer to Router');
    assert.equal(shown(withoutArguments(sent)), 'native transfer to Router');
    assert.equal(plainText(sent), `native transfer to ${ROUTER}`);
    const called = invocation({ address: ROUTER, selector: 'fallback', callData: '0x01' });
    assert.equal(shown(callSegments(called, names)), 'Router.fallback(0x01)');
    const delegated = invocation({
      operation: 'DELEGATECALL',
      address: ROUTER,
      selector: 'fallback',
    });
    assert.equal(shown(callSegments(delegated, names)), 'Router.fallback()');
  });

  it('formats an undecoded call with its selector and data', () => {
    const call = invocation({ address: ROUTER, callData: `0x${'00'.repeat(64)}`, output: '0x01' });
    assert.equal(shown(callSegments(call, names)), 'Router.0x12345678(0x0000…0000) → 0x01');
  });

  it('formats creations and self-destructs', () => {
    const create = invocation({ operation: 'CREATE2', address: ROUTER, selector: '' });
    assert.equal(shown(callSegments(create, names)), 'new Router()');
    assert.equal(
      shown(callSegments({ ...create, address: '', status: false }, names)),
      'new contract()',
    );
    const destroy = invocation({ operation: 'SELFDESTRUCT', fromAddress: ROUTER, address: ALICE });
    assert.equal(
      shown(callSegments(destroy, names)),
      'Router.selfdestruct(beneficiary: 0xaaaa…aaaa)',
    );
  });

  it('formats decoded, undecoded and anonymous events', () => {
    const event: Event = {
      contract: ROUTER,
      operation: 'EVENT',
      decodedLog: { name: '', signature: '', params: [] },
      logDecoded: false,
      logData: '0x',
      topics: [`0x${'12'.repeat(32)}`],
      id: 1,
      status: true,
      revert: false,
    };
    assert.equal(shown(eventSegments(event, names)), 'Router.0x1212…1212()');
    assert.equal(shown(eventSegments({ ...event, topics: [] }, names)), 'Router.anonymous()');
    const params = [{ name: 'value', type: 'uint256', value: '1000' }];
    assert.equal(
      shown(
        eventSegments(
          {
            ...event,
            logDecoded: true,
            decodedLog: { name: 'Sync', signature: 'Sync(uint256)', params },
          },
          names,
        ),
      ),
      'Router.Sync(value: 1,000)',
    );
  });

  it('returns a reason for every failure and none for a success', () => {
    assert.equal(failureReason(invocation()), '');
    assert.equal(failureReason(invocation({ status: false })), 'no reason given');
    assert.equal(
      failureReason(invocation({ status: false, errorInfo: 'out of gas' })),
      'out of gas',
    );
  });

  it('names addresses and groups numbers in custom errors, not in free text', () => {
    assert.equal(
      shown(reasonSegments(`Low(who: ${ROUTER}, has: 1000, rate: 1000.5)`, names)),
      'Low(who: Router, has: 1,000, rate: 1000.5)',
    );
    assert.equal(shown(reasonSegments('since 2024', names)), 'since 2024');
    const most = 2n ** 256n - 1n;
    assert.equal(shown(reasonSegments(`Low(has: ${most})`, names)), 'Low(has: max uint256)');
    assert.equal(plainText(reasonSegments(`Low(has: ${most})`, names)), `Low(has: ${most})`);
    assert.equal(shown(reasonSegments('Low(has: 1000, who…', names)), 'Low(has: 1,000, who…');
  });
});
