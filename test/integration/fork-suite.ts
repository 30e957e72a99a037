import type { Chain } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { PROJECT, TestForks, type TestForksOptions } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

interface Receipt {
  status: string;
  gasUsed: string;
  blockNumber: string;
  transactionIndex: string;
  logs: unknown[];
}

/** A fork for each test of a suite, after block 3 of a separate chain, as its clients know it. */
export class ForkAddress {
  fork!: Fork;
  /** A transaction of the chain. */
  original = '';
  engines!: TestEngines;
  chain!: Chain;

  get rpc(): string {
    return this.fork.rpc;
  }

  /** Adds one to the counter contract, whose value is 1 at the fork point. */
  increment(from = ALICE.address): Promise<string> {
    return call(this.rpc, 'eth_sendTransaction', { from, to: COUNTER });
  }

  async counter(): Promise<number> {
    return Number(await call(this.rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));
  }

  async head(): Promise<number> {
    return Number(await call(this.rpc, 'eth_blockNumber'));
  }

  receiptOf(hash: string): Promise<Receipt> {
    return call<Receipt>(this.rpc, 'eth_getTransactionReceipt', hash);
  }
}

/** The same, with the service's parts in this process. */
export class ForkSuite extends ForkAddress {
  service!: TestForks;

  /** Another service on the same chain. With `records`, it is a later run of the first one. */
  another(changes: Partial<Chain>, options?: TestForksOptions): Promise<TestForks> {
    return TestForks.open(this.engines, { ...this.chain, ...changes }, options);
  }
}

/** A service that has forks. */
export interface ForkHost {
  create(body: Record<string, unknown>): Promise<Fork>;
  deleteAll(): Promise<void>;
  close(): Promise<void>;
}

const openInProcess = async (engines: TestEngines, chain: Chain): Promise<ForkHost> => {
  const service = await TestForks.open(engines, chain);
  return {
    create: (body) => service.create(body),
    deleteAll: () => service.forks.deleteAllOf(PROJECT),
    close: () => service.close(),
  };
};
let openHost = openInProcess;

/** Has `useForkAddress` use forks of another service. */
export function replaceForkHost(open: typeof openInProcess): void {
  openHost = open;
}

/** Registers the hooks of a test suite that uses a fork by its address alone. */
export function useForkAddress(): ForkAddress {
  const suite = new ForkAddress();
  let host: ForkHost;
  before(async function () {
    this.timeout(240_000);
    await useChain(suite);
    host = await openHost(suite.engines, suite.chain);
  });
  after(async () => {
    await host.close();
    await suite.engines.close();
  });
  beforeEach(async () => {
    suite.fork = await host.create({ height: '0x3' });
  });
  afterEach(() => host.deleteAll());
  return suite;
}

/** Registers the hooks of a test suite on a fork. */
export function useFork(): ForkSuite {
  const suite = new ForkSuite();
  before(async () => {
    await useChain(suite);
    suite.service = await suite.another({});
  });
  after(async () => {
    await suite.service.close();
    await suite.engines.close();
  });
  beforeEach(async () => {
    suite.fork = await suite.service.create({ height: '0x3' });
    suite.service.counted.length = 0;
  });
  afterEach(() => suite.service.forks.deleteAllOf(PROJECT));
  return suite;
}

async function useChain(suite: ForkAddress): Promise<void> {
  suite.engines = await testEngines();
  const upstream = await TestChain.start(suite.engines.start);
  await upstream.mine();
  suite.original = await upstream.send(ALICE, { to: COUNTER });
  await upstream.mine();
  await upstream.mine();
  suite.chain = ethChain(`${upstream.engine.url}/?key=5ecr3t`);
}
