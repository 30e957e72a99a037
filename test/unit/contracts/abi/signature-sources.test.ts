import assert from 'node:assert/strict';
import { id } from 'ethers';
import { LookupFiles } from '../../../../server/store/cache/lookup-files';
import { FourByte } from '../../../../server/contracts/abi/four-byte';
import { PackageSignatures } from '../../../../server/contracts/abi/package-signatures';
import type { Hash, Hex } from '../../../../server/api/primitives';
import { type JsonAnswer, useJsonServices } from '../../../support/json-service';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NEVER = new AbortController().signal;
const selector = (text: string): Hex => id(text).slice(0, 10) as Hex;
const wanted = (selectors: Hex[], topics: Hash[] = []) => ({
  selectors: new Set(selectors),
  topics: new Set(topics),
});
const PAY = selector('pay(uint256)');

describe('FourByte', () => {
  const serve = useJsonServices();
  const entry = (name: string, hasVerifiedContract = false) => ({
    name,
    filtered: false,
    hasVerifiedContract,
  });

  it('requests functions, errors and events in OpenChain’s format, and only once', async () => {
    const topic = id('Paid(address,uint256)') as Hash;
    const folder = await makeTemporaryDirectory();
    try {
      const service = await serve((url) => ({
        body: {
          ok: true,
          result: {
            function: url.searchParams.has('function') ? { [PAY]: [entry('pay(uint256)')] } : {},
            event: url.searchParams.has('event')
              ? { [topic]: [entry('Paid(address,uint256)')] }
              : {},
          },
        },
      }));
      const ask = () =>
        new FourByte(new LookupFiles(folder), { url: service.url }).candidates(
          wanted([PAY], [topic]),
          NEVER,
        );
      const [found] = await ask();
      assert.equal(found?.source, '4byte');
      assert.equal(found.functions(PAY)[0]?.format('sighash'), 'pay(uint256)');
      assert.equal(found.errors(PAY)[0]?.name, 'pay');
      assert.deepEqual(
        found.events(topic).map((event) => event.format('full')),
        [
          'event Paid(address, uint256)',
          'event Paid(address indexed, uint256)',
          'event Paid(address indexed, uint256 indexed)',
        ],
      );
      await ask();
      assert.deepEqual(service.asked.sort(), [
        `/signature-database/v1/lookup?event=${topic}`,
        `/signature-database/v1/lookup?function=${PAY}`,
      ]);
    } finally {
      await removeDirectory(folder);
    }
  });

  it('returns signatures of verified contracts first', async () => {
    // Both have the selector 0x42966c68.
    const burn = selector('burn(uint256)');
    const names = [entry('collate_propagate_storage(bytes16)'), entry('burn(uint256)', true)];
    const service = await serve(() => ({
      body: { ok: true, result: { function: { [burn]: names }, event: {} } },
    }));
    const source = new FourByte(undefined, { url: service.url });
    const [found] = await source.candidates(wanted([burn]), NEVER);
    assert.deepEqual(
      found?.functions(burn).map(({ name }) => name),
      ['burn', 'collate_propagate_storage'],
    );
  });

  it('rejects invalid signatures, and signatures of another selector', async () => {
    const lies = [
      'pay(uint256)\u202e',
      'pay(uint256) returns (address)',
      `${'x'.repeat(1_000_000)}(uint256)`,
      'other(uint256)',
      'pay((((',
      7,
    ].map((name) => ({ name, filtered: false }));
    const service = await serve(() => ({
      body: { ok: true, result: { function: { [PAY]: lies }, event: {} } },
    }));
    const source = new FourByte(undefined, { url: service.url });
    const found = await source.candidates(wanted([PAY]), NEVER);
    assert.deepEqual(
      found.flatMap((one) => one.functions(PAY)),
      [],
    );
  });

  it('returns nothing if a service is down, slow or answers nonsense', async () => {
    for (const answer of [
      undefined,
      { status: 500 },
      { body: 'text' },
      { body: { ok: false } },
      { body: { ok: true, result: { function: { [PAY]: 'pay(uint256)' }, event: {} } } },
    ] as JsonAnswer[]) {
      const service = await serve(() => answer);
      const source = new FourByte(undefined, { url: service.url, timeoutMs: 100 });
      assert.deepEqual(await source.candidates(wanted([PAY]), NEVER), []);
    }
    const service = await serve(() => undefined);
    await service.close();
    const down = new FourByte(undefined, { url: service.url });
    assert.deepEqual(await down.candidates(wanted([PAY]), NEVER), []);
  });

  it('waits once for a service that hangs, and then stops querying it', async () => {
    const service = await serve(() => undefined);
    // Long enough for the first request to arrive on a busy machine.
    const source = new FourByte(undefined, { url: service.url, timeoutMs: 2_000 });
    for (const text of ['pay(uint256)', 'take(uint256)']) {
      assert.deepEqual(await source.candidates(wanted([selector(text)]), NEVER), []);
    }
    assert.equal(service.asked.length, 1);
  });

  it('sends no request if nothing is wanted', async () => {
    const service = await serve(() => undefined);
    const source = new FourByte(undefined, { url: service.url });
    assert.deepEqual(await source.candidates(wanted([]), NEVER), []);
    assert.deepEqual(service.asked, []);
  });
});

describe('PackageSignatures', () => {
  const table = {
    function: { [PAY.slice(2)]: ['pay(uint256 amount) returns (bool done)'] },
    event: { [id('Paid(address)').slice(2, 10)]: ['Paid(address indexed payer)'] },
    error: { [PAY.slice(2)]: ['pay(uint256 missing)'] },
  };

  it('returns the wanted signatures, and loads the table only then', async () => {
    let loads = 0;
    const source = new PackageSignatures(() => {
      loads++;
      return Promise.resolve(table);
    });
    assert.deepEqual(await source.candidates(wanted([])), []);
    assert.equal(loads, 0);
    const topic = id('Paid(address)') as Hash;
    const [found] = await source.candidates(wanted([PAY, '0x12345678'], [topic]));
    await source.candidates(wanted([PAY]));
    assert.equal(loads, 1);
    assert.equal(found?.source, 'packages');
    assert.equal(found.functions(PAY)[0]?.outputs[0]?.name, 'done');
    assert.equal(found.errors(PAY)[0]?.inputs[0]?.name, 'missing');
    assert.equal(found.events(topic)[0]?.inputs[0]?.indexed, true);
  });

  it('returns nothing if the table was not built', async () => {
    const source = new PackageSignatures(() => Promise.resolve(undefined));
    assert.deepEqual(await source.candidates(wanted([PAY])), []);
  });
});
