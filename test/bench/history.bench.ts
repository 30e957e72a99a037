import { Wallet } from 'ethers';
import type { Hash } from '../../server/api/primitives';
import type { Regression } from '../../server/api/regress';
import { TOGETHER } from '../../server/client/regression-report';
import { toQuantity } from '../../server/evm/forms/quantity';
import { ethChain } from '../integration/fork-upstream';
import { castRun, ms, timed } from '../support/bench-analysis';
import { HardhatNode } from '../support/hardhat-node';
import { CONTRACTS, COUNTER, LEDGER } from '../support/mainnet-contracts';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * Measures `forklens regress`: real transactions of a contract, each executed on its own state with the old and with new code.
 *
 * The peer is `cast run` of the same transactions on the same upstream, one after the other, which executes each once, with the code of the
 * chain. Cast is a new process with an empty home for each. Our side is a new service. Compare the ratio: the load of the machine changes
 * the figures themselves.
 *
 *     npm run bench -- history
 */

const BLOCKS = 10;
const BLOCK_LENGTH = 10;
/** Positions of the calls of the contract in each block. */
const POSITIONS = [0, 3, 6, 9];
const LATENCY_MS = 50;

/** Mines the blocks. @returns the transactions that call the contract */
async function mineCalls(node: HardhatNode): Promise<Hash[]> {
  const { rpc } = node;
  for (const { address, code } of CONTRACTS) await rpc.request('hardhat_setCode', [address, code]);
  const senders = Array.from(
    { length: BLOCK_LENGTH },
    (_, index) => new Wallet(`0x${String(index + 1).padStart(64, '6')}`),
  );
  for (const { address } of senders) {
    await rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 18n)]);
  }
  await node.mine();
  const calls: Hash[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    for (const [position, sender] of senders.entries()) {
      const isCall = POSITIONS.includes(position);
      const hash = await node.send(sender, { to: isCall ? LEDGER.address : COUNTER.address });
      if (isCall) calls.push(hash as Hash);
    }
    await node.mine();
  }
  await node.mine();
  return calls;
}

/** Executes the transactions as the command line does. @returns how often each verdict was given */
async function regress(
  service: TestService,
  transactions: readonly Hash[],
): Promise<Record<string, number>> {
  // JUMPDEST in front: one gas more, and the same effects.
  const newCode = { code: `0x5b${LEDGER.code.slice(2)}`, abi: [] };
  const path = `/v1/explorer/eth/address/${LEDGER.address}/regress`;
  const verdicts: Record<string, number> = {};
  for (let start = 0; start < transactions.length; start += TOGETHER) {
    const body = { newCode, transactions: transactions.slice(start, start + TOGETHER) };
    const { data, message } = await service.request<Regression>('POST', path, { body });
    if (message !== 'OK') throw new Error(message);
    for (const { verdict, cause } of data.results) {
      const found = `${verdict} ${cause}`;
      verdicts[found] = (verdicts[found] ?? 0) + 1;
    }
  }
  return verdicts;
}

async function main(): Promise<void> {
  const node = await HardhatNode.launch();
  const proxy = await UpstreamProxy.start(node.url);
  try {
    const calls = await mineCalls(node);
    proxy.latencyMs = LATENCY_MS;
    const config = { chains: [ethChain(proxy.url)], prices: { source: 'none' } };
    const service = await startService({ config });
    let verdicts = {};
    const asked = proxy.requests;
    const ours = await timed(async () => (verdicts = await regress(service, calls)));
    const requests = proxy.requests - asked;
    await service.stop();
    let casts = 0;
    for (const hash of calls) casts += await castRun(proxy.url, hash);
    const row = (time: number): object => ({
      ms: ms(time),
      'ms each': ms(time / calls.length),
      'transactions per second': ((calls.length * 1000) / time).toFixed(1),
    });
    console.log(`${calls.length} transactions, upstream ${LATENCY_MS} ms away`);
    console.table({ regress: row(ours), 'cast run': row(casts) });
    console.log(`cast run / regress: ${(casts / ours).toFixed(1)} (aim 5)`);
    console.log(`${requests} requests of regress`, verdicts);
  } finally {
    await proxy.close();
    await node.close();
  }
}

void main();
