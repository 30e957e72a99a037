import assert from 'node:assert/strict';
import { Etherscan } from '../../../../server/contracts/abi/etherscan';
import { Sourcify } from '../../../../server/contracts/abi/sourcify';
import { LookupFiles } from '../../../../server/store/cache/lookup-files';
import {
  VerifiedContracts,
  type VerifiedLookup,
} from '../../../../server/contracts/abi/verified-contracts';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account, network } from '../../../support/analysis';
import { useJsonServices } from '../../../support/json-service';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NEVER = new AbortController().signal;
const CODE: Hex = `0x${'60'.repeat(120)}`;
const pay = {
  type: 'function',
  name: 'pay',
  inputs: [{ name: 'amount', type: 'uint256' }],
  stateMutability: 'nonpayable',
};
const VERIFIED = { match: 'exact_match', abi: [pay], compilation: { name: 'Shop' } };

describe('verified contracts', () => {
  const serve = useJsonServices();
  const contracts = (lookup: VerifiedLookup, folder?: string, now?: () => number) =>
    new VerifiedContracts({
      lookup,
      store: folder === undefined ? undefined : new LookupFiles(folder),
      now,
    });
  const find = async (source: VerifiedContracts, address: Address = account(0x1), code = CODE) =>
    (await source.find(network(), [{ address, code }], NEVER)).get(address);

  it('are requested from Sourcify by chain and address', async () => {
    const service = await serve(() => ({ body: VERIFIED }));
    const found = await find(contracts(new Sourcify({ url: `${service.url}/` })));
    assert.equal(found?.name, 'Shop');
    assert.equal(found.interface.source, 'sourcify');
    assert.equal(
      found.interface.functions('0xc290d691')[0]?.format('full'),
      'function pay(uint256 amount)',
    );
    assert.deepEqual(service.asked, [`/v2/contract/1/${account(1)}?fields=abi,compilation.name`]);
  });

  it('are requested from Etherscan with the key, and only once', async () => {
    const service = await serve(() => ({
      body: {
        status: '1',
        message: 'OK',
        result: [
          { ABI: JSON.stringify([pay]), ContractName: 'Shop', ConstructorArguments: '00ff' },
        ],
      },
    }));
    const source = contracts(new Etherscan({ url: `${service.url}/api`, apiKey: 'k3y' }));
    const found = await find(source);
    assert.equal(found?.interface.source, 'etherscan');
    assert.equal(found.constructorArguments, '00ff');
    await find(source);
    assert.deepEqual(service.asked, [
      `/api?chainid=1&module=contract&action=getsourcecode&address=${account(1)}&apikey=k3y`,
    ]);
  });

  it('are cached on disk by chain, address and code; unverified ones for an hour', async () => {
    const folder = await makeTemporaryDirectory();
    try {
      let time = 0;
      const service = await serve((url) =>
        url.pathname.endsWith(account(2))
          ? { status: 404, body: { match: null } }
          : { body: VERIFIED },
      );
      const fresh = () => contracts(new Sourcify({ url: service.url }), folder, () => time);
      for (const source of [fresh(), fresh()]) {
        assert.equal((await find(source))?.name, 'Shop');
        assert.equal(await find(source, account(2)), undefined);
      }
      assert.equal(service.asked.length, 2);
      await find(fresh(), account(1), `0x${'61'.repeat(120)}`);
      assert.equal(service.asked.length, 3);
      time = 3_600_001;
      await find(fresh(), account(2));
      await find(fresh());
      assert.equal(service.asked.length, 4);
    } finally {
      await removeDirectory(folder);
    }
  });

  it('are not requested for code that is too short to have an interface', async () => {
    const service = await serve(() => ({ body: VERIFIED }));
    const source = contracts(new Sourcify({ url: service.url }));
    assert.equal(await find(source, account(1), `0xef0100${'ab'.repeat(20)}`), undefined);
    assert.deepEqual(service.asked, []);
  });

  it('are not requested for a minute from a service that fails', async () => {
    let time = 0;
    const warnings: object[] = [];
    const log = { warn: (fields: object) => warnings.push(fields) };
    const service = await serve(() => ({ status: 503, body: 'busy' }));
    const source = contracts(new Sourcify({ url: service.url, now: () => time, log }));
    for (const number of [1, 2, 3]) assert.equal(await find(source, account(number)), undefined);
    assert.equal(service.asked.length, 1);
    time = 60_001;
    await find(source, account(4));
    assert.equal(service.asked.length, 2);
    assert.deepEqual(warnings[0], { service: 'sourcify', why: 'HTTP 503' });
  });

  it('are omitted if a service is down or slow, without a cached result', async () => {
    const gone = await serve(() => undefined);
    const { url } = gone;
    const slow = contracts(new Sourcify({ url, timeoutMs: 50 }));
    assert.equal(await find(slow), undefined);
    await gone.close();
    let time = 0;
    const down = new Sourcify({ url, now: () => time });
    assert.equal(await down.find(1, account(1), NEVER), undefined);
    time = 60_001;
    assert.equal(await down.find(1, account(1), NEVER), undefined);
  });

  it('stop waiting when the analysis is cancelled', async () => {
    const service = await serve(() => undefined);
    const cancelled = new AbortController();
    const finding = contracts(new Sourcify({ url: service.url })).find(
      network(),
      [{ address: account(1), code: CODE }],
      cancelled.signal,
    );
    cancelled.abort(new Error('given up'));
    await assert.rejects(finding, /given up/);
  });

  it('reject malformed answers', async () => {
    const deep = JSON.parse(`${'{"components":['.repeat(50)}{}${']}'.repeat(50)}`) as object;
    for (const body of [
      'no json',
      '[]',
      { match: null, abi: [pay] },
      { match: 'match', abi: 'text' },
      'x'.repeat(5 * 1024 * 1024),
    ]) {
      const service = await serve(() => ({ body }));
      assert.equal(await find(contracts(new Sourcify({ url: service.url }))), undefined);
    }
    const service = await serve(() => ({
      body: {
        match: 'match',
        compilation: { name: `\u202eevil\u0007 ${'x'.repeat(100)}` },
        abi: [
          7,
          { ...pay, name: 'x'.repeat(1_000_000) },
          { ...pay, inputs: [deep] },
          { ...pay, inputs: [{ name: '\u202eamo\u0000unt', type: 'uint256' }] },
        ],
      },
    }));
    const found = await find(contracts(new Sourcify({ url: service.url })));
    assert.equal(found?.name, `evil ${'x'.repeat(59)}`);
    assert.deepEqual(
      found.interface.functions('0xc290d691').map((one) => one.format('full')),
      ['function pay(uint256 amount)'],
    );
  });

  it('handle Etherscan’s answers for unverified contracts, wrong keys and limits', async () => {
    const say = async (body: unknown) => {
      const service = await serve(() => ({ body }));
      const lookup = new Etherscan({ url: service.url, apiKey: 'k' });
      const answers = [
        await lookup.find(1, account(1), NEVER),
        await lookup.find(1, account(2), NEVER),
      ];
      return [...answers, service.asked.length];
    };
    const unverified = { ABI: 'Contract source code not verified', ContractName: '' };
    assert.deepEqual(await say({ status: '1', result: [unverified] }), [null, null, 2]);
    const refused = {
      status: '0',
      message: 'NOTOK',
      result: 'Max calls per sec rate limit reached',
    };
    assert.deepEqual(await say(refused), [undefined, undefined, 1]);
    assert.deepEqual(await say({ status: '1', result: [{ ABI: '{' }] }), [undefined, undefined, 2]);
  });
});
