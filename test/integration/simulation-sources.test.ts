import assert from 'node:assert/strict';
import type { Recording } from '../../server/api/recording';
import type { SourceLocations, SourcePlace } from '../../server/api/source-locations';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, type Answer } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

describe('sources of simulated calls', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const ask = (chain: string, transaction: string): Promise<Answer<SourceLocations>> =>
    service.request('GET', `/v1/explorer/${chain}/transaction/${transaction}/source-locations`);
  const locationsOf = async (chain: string, transaction: string): Promise<SourceLocations> => {
    const { message, data } = await ask(chain, transaction);
    assert.equal(message, 'OK');
    return data;
  };
  const record = async (chain: string, body: object): Promise<string> => {
    const path = `/v1/explorer/${chain}/simulate/recording`;
    const { message, data } = await service.request<Recording>('POST', path, { body });
    assert.equal(message, 'OK');
    return data.transaction;
  };
  /** The body that executes a transaction of the sandbox again. */
  const bodyOf = async (hash: string): Promise<NonNullable<Recording['again']>> => {
    const path = `/v1/explorer/sandbox/transaction/${hash}/recording`;
    const { data } = await service.request<Recording>('GET', path);
    return data.again!;
  };
  const lineOf = (place: SourcePlace | undefined): string | undefined =>
    place && `${place.file}:${place.startLine}`;
  const linesOf = ({ locations }: SourceLocations): unknown[] =>
    locations.map(({ nodeId, contract, callSite, failure, ...one }) => [
      nodeId,
      contract,
      lineOf(one.function),
      lineOf(callSite),
      lineOf(failure),
    ]);

  for (const story of ['exploit-reentrancy', 'error-string']) {
    it(`are those of the transaction that it repeats (${story})`, async () => {
      const hash = sandboxHash(story);
      const mined = await locationsOf('sandbox', hash);
      const id = await record('sandbox', await bodyOf(hash));
      assert.notEqual(id, hash);
      assert.deepEqual(await locationsOf('sandbox', id), mined);
      assert.ok(mined.locations.length > 0 && mined.sources!.length > 0);
    });
  }

  it('are known on a fork', async () => {
    const { from, to, data } = await bodyOf(sandboxHash('error-string'));
    const { forkId } = await createFork(service, { chainId: 31337 });
    const simulated = await locationsOf(forkId, await record(forkId, { from, to, data }));
    assert.equal(simulated.status, false);
    assert.deepEqual(linesOf(simulated), [
      [0, 'HarborToken', 'TokenBase.sol:12', undefined, 'TokenBase.sol:36'],
    ]);
    const [{ declaration, ...code }] = simulated.sources as [
      NonNullable<SourceLocations['sources']>[number],
    ];
    assert.deepEqual(code, {
      address: to,
      isCreation: false,
      calls: [0],
      contract: 'HarborToken',
      from: 'sandbox',
      hasMap: true,
    });
    assert.equal(lineOf(declaration), 'HarborToken.sol:8');
    assert.deepEqual([simulated.unknown, simulated.changed], [[], []]);
  });

  it('are functions alone without a recording', async () => {
    const hash = sandboxHash('exploit-reentrancy');
    const body = await bodyOf(hash);
    const path = '/v1/explorer/sandbox/simulate/source-locations';
    const { message, data } = await service.request<SourceLocations>('POST', path, { body });
    assert.equal(message, 'OK');
    const mined = await locationsOf('sandbox', hash);
    assert.deepEqual(data, {
      ...mined,
      locations: mined.locations.flatMap(({ nodeId, contract, function: place }) =>
        place === undefined ? [] : [{ nodeId, contract, function: place }],
      ),
      incomplete:
        'the places of calls and failures are those of its recording (POST /v1/explorer/sandbox/simulate/recording)',
    });
    assert.ok(data.locations.length > 5);
    const refused = await service.request('POST', path, { body: { from: body['from'], gas: 'x' } });
    assert.equal(refused.status, 400);
    assert.match(refused.message, /gas/);
  });

  it('are not those of the chain where an override replaces the code', async () => {
    const body = await bodyOf(sandboxHash('error-string'));
    const to = body['to'] as string;
    const stateOverrides = { [to]: { code: '0x60006000fd' } };
    const simulated = await locationsOf(
      'sandbox',
      await record('sandbox', { ...body, stateOverrides }),
    );
    assert.deepEqual([simulated.status, simulated.locations, simulated.sources], [false, [], []]);
    assert.deepEqual(simulated.unknown, [
      {
        address: to,
        isCreation: false,
        calls: [0],
        reason: `no source with a source map is known for the code of ${to}: compile it in the workspace, or verify it on Sourcify`,
      },
    ]);
  });

  it('are refused for what is neither a transaction nor a simulation', async () => {
    const other = `0x${'12'.repeat(32)}`;
    const { code, message } = await ask('sandbox', other);
    assert.deepEqual([code, message], [40403, `transaction ${other} is not known on sandbox`]);
  });
});
