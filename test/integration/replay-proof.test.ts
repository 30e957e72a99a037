import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import { readEvents } from '../../server/api/event-source';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startService, type TestService } from '../support/service';
import { ethChain } from './fork-upstream';

/** With call data, it stores the first word in slot 0. Without, it pays the caller the amount in slot 0. Neither emits an event. */
const QUOTA = `0x${'41'.repeat(20)}`;
const QUOTA_CODE = '0x36600e575f5f5f5f5f54335af1005b5f355f5500';
/** Calls QUOTA with the first word of its call data. */
const PROXY = `0x${'42'.repeat(20)}`;
const PROXY_CODE = `0x5f355f525f5f60205f5f73${'41'.repeat(20)}5af100`;

const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
const BOB = new Wallet(`0x${'b0'.repeat(32)}`);
const CAROL = new Wallet(`0x${'ca'.repeat(32)}`);

describe('the proof of a replay', () => {
  let mainnet: MainnetUpstream;
  let service: TestService;
  /** Depends on the first transaction of its block only through code. */
  let dependent: string;
  /** Depends on no transaction of its block. */
  let independent: string;
  /** The first transaction of its block. */
  let first: string;

  before(async () => {
    mainnet = await MainnetUpstream.start();
    const { rpc } = mainnet;
    await rpc.request('hardhat_setCode', [QUOTA, QUOTA_CODE]);
    await rpc.request('hardhat_setCode', [PROXY, PROXY_CODE]);
    await rpc.request('hardhat_setStorageAt', [QUOTA, '0x0', toWord(1000)]);
    for (const account of [QUOTA, ALICE.address, BOB.address, CAROL.address]) {
      await rpc.request('hardhat_setBalance', [account, toQuantity(10n ** 18n)]);
    }
    await mainnet.mine();
    first = await mainnet.send(ALICE, { to: PROXY, data: toWord(2000) });
    dependent = await mainnet.send(BOB, { to: QUOTA });
    independent = await mainnet.send(CAROL, { to: ALICE.address, value: 7n });
    await mainnet.mine();
    await mainnet.mine();
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(mainnet.url, { slug: 'eth', hardfork: 'prague' })],
        abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await mainnet.close();
  });

  const flow = async (hash: string, query = ''): Promise<InvocationFlow> =>
    (
      await service.request<InvocationFlow>(
        'GET',
        `/v1/explorer/eth/transaction/${hash}/invocation-flow${query}`,
      )
    ).data;
  const paid = ({ dataMap }: InvocationFlow): string | undefined =>
    Object.values(dataMap)
      .map((node) => ('invocation' in node ? node.invocation : undefined))
      .find((call) => call?.fromAddress === QUOTA)?.value;
  const changes = async (hash: string, query = ''): Promise<BalanceChange> =>
    (
      await service.request<BalanceChange>(
        'GET',
        `/v1/explorer/eth/transaction/${hash}/balance-change${query}`,
      )
    ).data;

  it('contradicts a wrong guess, replaces it, and reports it to the clients that requested it', async () => {
    const abort = new AbortController();
    const stream = await fetch(`${service.url}/v1/events`, {
      headers: { 'Access-Key': service.key, Accept: 'text/event-stream' },
      signal: abort.signal,
    });
    const events = readEvents(stream);
    assert.equal((await events.next()).value?.name, 'ready');

    const guess = await flow(dependent);
    assert.equal(
      paid(guess),
      '0.000000000000001',
      'the fee of a replay without the first transaction',
    );
    assert.equal(guess.verification.level, 'receipt');
    assert.equal(guess.verification.proof, 'running');
    assert.equal(guess.verification.applied, 0);

    const proved = await flow(dependent, '?proof=wait');
    assert.equal(paid(proved), '0.000000000000002');
    assert.equal(proved.verification.level, 'state-proved');
    assert.equal(proved.verification.applied, 1);
    assert.equal(proved.verification.proof, undefined);
    const corrected = `call 1 of ${BOB.address.toLowerCase()} had the value 1000 wei instead of 2000 wei`;
    assert.equal(proved.verification.corrected, corrected);

    const { value: event } = await events.next();
    assert.deepEqual(event, {
      name: 'change',
      data: { type: 'analysis', chain: 'eth', hash: dependent, level: 'state-proved', corrected },
    });
    abort.abort();
  });

  it('is required before amounts count as verified', async () => {
    const assets = ({ balanceChange }: BalanceChange) =>
      balanceChange.flatMap(({ assets: all }) =>
        all.map(({ rawAmount, verified }) => [rawAmount, verified]),
      );
    const guess = await changes(independent);
    assert.deepEqual(assets(guess), [
      ['7', undefined],
      ['7', undefined],
    ]);
    assert.equal(guess.verification?.level, 'receipt');
    assert.equal(guess.verification.native, 'unchecked');
    const proved = await changes(independent, '?proof=wait');
    assert.deepEqual(assets(proved), [
      ['7', true],
      ['7', true],
    ]);
    assert.equal(proved.verification?.level, 'state-proved');
    assert.equal(proved.verification.native, 'verified');
    assert.equal(proved.verification.corrected, undefined);
  });

  it('needs only the state after the block if there are no earlier transactions', async () => {
    const proved = await flow(first, '?proof=wait');
    assert.equal(proved.verification.level, 'state-proved');
    assert.equal(proved.verification.applied, 0);
  });

  it("rejects an invalid query with the field's name", async () => {
    const { status, code, message } = await service.request(
      'GET',
      `/v1/explorer/eth/transaction/${first}/invocation-flow?proof=later`,
    );
    assert.deepEqual([status, code], [400, 40001]);
    assert.match(message, /^proof is "later"; accepted: wait$/);
  });
});
