import type { Fork } from '../../server/api/fork';
import type { AccountChange, Analysis } from '../../server/api/views';
import { toQuantity } from '../../server/evm/forms/quantity';
import { post, type RpcReply } from '../support/json-rpc';
import { CHAIN_ID, OpChain, statesOf, type Accounts } from '../support/op-chain';
import { localProject, startService, type TestService } from '../support/service';
import { NodeServer } from './node-server';
import type { Judgement } from './verdict';
import { report, type Tally } from './verdict-counts';

const [SOURCE, FORKS] = ['a block of the OP Stack', 'forks inside a block of the OP Stack'];
const SLUG = 'op-test';
/** The rules of Isthmus. */
const ROW = { hardfork: 'prague', debug: false } as const;
const HEIGHT = toQuantity(1_000);

/** A block with deposits, of which one fails, and fees of the parent chain and of the operator. Its states are found by arithmetic. */
export function opStackBlock(tally: Tally): void {
  let nodes: NodeServer;
  let service: TestService;
  let chain: OpChain;

  before(async () => {
    nodes = await NodeServer.start();
    chain = await OpChain.create();
    const rpcUrls = [nodes.add(`/${SLUG}`, chain.answer)];
    const one = { slug: SLUG, name: SLUG, chainId: CHAIN_ID, hardfork: 'prague', rpcUrls };
    service = await startService({ config: { chains: [one], prices: { source: 'none' } } });
  });
  after(async () => {
    await service.stop();
    await nodes.close();
  });

  it('is answered correctly or marked, without debug API', async function () {
    this.timeout(60_000);
    const from = tally.notes.length;
    for (const [index, { hash }] of chain.transactions.entries()) {
      const path = `/v1/explorer/${SLUG}/transaction/${hash}/analysis?proof=wait`;
      const { code, message, data } = await service.request<Analysis>('GET', path);
      const state: Judgement =
        code === 0 ? judgeState(data, index) : { verdict: 'marked', why: `${code} ${message}` };
      tally.add({ source: SOURCE, ...ROW }, `transaction ${index}`, { state });
    }
    report(tally, from);
  });

  it('is forked at each position', async function () {
    this.timeout(60_000);
    const from = tally.notes.length;
    for (const [position, expected] of statesOf().entries()) {
      const state = await judgeForkAt(service, position, expected);
      tally.add({ source: FORKS, ...ROW }, `position ${position}`, { state });
    }
    report(tally, from);
  });
}

/** Every account that the transaction changes, and no other. */
function judgeState({ stateDiff, verification }: Analysis, index: number): Judgement {
  const states = statesOf();
  const [before, after] = [states[index]!, states[index + 1]!];
  const changed = new Map<string, AccountChange>(
    stateDiff?.accounts.map((account) => [account.address, account]),
  );
  const addresses = new Set([...Object.keys(after), ...changed.keys()]) as Set<keyof Accounts>;
  for (const address of addresses) {
    const account = changed.get(address);
    for (const name of ['balance', 'nonce'] as const) {
      const [was, is] = [before, after].map((state) => String(state[address]?.[name] ?? 0));
      const answered = account?.[name];
      const found = answered ? [answered.before, answered.after].map(String) : [was, was];
      if (found[0] === was && found[1] === is) continue;
      const why = `${name} of ${address}: expected ${was} and ${is}, answered ${found.join(' and ')}`;
      const isClaimed = stateDiff !== null && verification?.level === 'state-proved';
      return { verdict: isClaimed ? 'wrong' : 'marked', why };
    }
  }
  return { verdict: 'right' };
}

async function judgeForkAt(
  service: TestService,
  position: number,
  expected: Accounts,
): Promise<Judgement> {
  const path = `/v1/project/${await localProject(service)}/fork`;
  const body = { name: 'position', chainId: CHAIN_ID, chain: SLUG, height: HEIGHT, position };
  const { code, message, data } = await service.request<Fork>('POST', path, { body });
  if (code !== 0) return { verdict: 'marked', why: `${code} ${message}` };
  const why = await difference(data.rpc, expected);
  await service.request('DELETE', `${path}/${data.forkId}`);
  if (why === undefined) return { verdict: 'right' };
  return { verdict: data.replay?.faithful === false ? 'marked' : 'wrong', why };
}

/** Accounts of the whole block: those that are not changed yet must not be, either. */
async function difference(url: string, expected: Accounts): Promise<string | undefined> {
  for (const address of Object.keys(statesOf().at(-1)!) as (keyof Accounts)[]) {
    const { balance = 0n, nonce = 0 } = expected[address] ?? {};
    for (const [method, value] of [
      ['eth_getBalance', balance],
      ['eth_getTransactionCount', BigInt(nonce)],
    ] as const) {
      const call = { jsonrpc: '2.0', id: 1, method, params: [address, 'latest'] };
      const { result } = (await post(url, JSON.stringify(call))) as RpcReply;
      if (result === toQuantity(value)) continue;
      return `${method} of ${address}: expected ${value}, answered ${JSON.stringify(result)}`;
    }
  }
  return undefined;
}
