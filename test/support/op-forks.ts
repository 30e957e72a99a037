import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import type { Hardfork } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import type { Address } from '../../server/api/primitives';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { NodeServer } from '../fidelity/node-server';
import { call } from './json-rpc';
import { CAROL, CHAIN_ID, ETHER, OpChain, VAULTS } from './op-chain';
import { localProject, startService, type TestService } from './service';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

const MALLORY = new Wallet(`0x${'77'.repeat(32)}`);
export const SENDER = MALLORY.address.toLowerCase() as Address;
export const NOBODY: Address = `0x${'0e'.repeat(20)}`;
/** Accounts whose balances the transactions change. */
export const ACCOUNTS = [...Object.values(VAULTS), SENDER, NOBODY, CAROL];
/** Adds the call data to slot 0. */
export const ADDER: Address = `0x${'ad'.repeat(20)}`;
export const ADDER_CODE = '0x600035600054016000550060005260206000f3';
export const [MAX_FEE, TIP] = [3_000_000_000n, 7_000n];
/** Of Jovian, wei. */
export const MINIMUM = 1_500_000;
const JOVIAN = `0x01000000fa00000006${MINIMUM.toString(16).padStart(16, '0')}`;
/** Operator fee: scalar 3, constant 11; scalar of the data footprint: 900. */
const JOVIAN_WORD = (900n << 96n) | (3n << 64n) | 11n;
/** Headers before Isthmus and Ecotone, at times of no later upgrade. */
const ECOTONE = {
  header: { extraData: '0x', requestsHash: undefined, timestamp: toQuantity(1_715_000_000) },
};
const BEDROCK = {
  header: {
    ...ECOTONE.header,
    excessBlobGas: undefined,
    blobGasUsed: undefined,
    parentBeaconBlockRoot: undefined,
  },
  slots: { [toWord(5)]: 188n, [toWord(6)]: 684_000n },
};

export type Balances = Record<string, bigint>;

/** Fields of fees of an unsigned transaction. */
export const FEES = {
  maxFeePerGas: toQuantity(MAX_FEE),
  maxPriorityFeePerGas: toQuantity(TIP),
};

/** Pseudo-random bytes: many zeros, as in real call data. */
export function dataOf(length: number): string {
  let seed = length + 1;
  return `0x${Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed % 3 === 0 ? (seed >> 8) & 255 : 0).toString(16).padStart(2, '0');
  }).join('')}`;
}

/** Signed by `SENDER`. @param fields type 2 by default */
export const signedBySender = (nonce: number, fields: object): Promise<string> =>
  MALLORY.signTransaction({
    type: 2,
    chainId: CHAIN_ID,
    nonce,
    gasLimit: 400_000,
    ...('gasPrice' in fields ? {} : { maxFeePerGas: MAX_FEE, maxPriorityFeePerGas: TIP }),
    ...fields,
  });

export const balancesOn = async (url: string, block = 'latest'): Promise<Balances> =>
  Object.fromEntries(
    await Promise.all(
      ACCOUNTS.map(
        async (one) => [one, BigInt(await call(url, 'eth_getBalance', one, block))] as const,
      ),
    ),
  );

export const changesOf = (before: Balances, after: Balances): Balances =>
  Object.fromEntries(ACCOUNTS.map((one) => [one, after[one]! - before[one]!]));

/** A receipt with fields that only chains of the OP Stack have. */
type OpReceipt = RpcReceipt & Record<string, string | undefined>;

export const receiptOn = (url: string, hash: string): Promise<OpReceipt> =>
  call(url, 'eth_getTransactionReceipt', hash);

/** A service with chains of several upgrades, each with the slug of its upgrade. */
export class OpForks {
  private constructor(
    readonly nodes: NodeServer,
    readonly isthmusUrl: string,
    private readonly dataDir: string,
    private readonly config: object,
    public service: TestService,
  ) {}

  static async start(): Promise<OpForks> {
    const [nodes, dataDir] = await Promise.all([NodeServer.start(), makeTemporaryDirectory()]);
    const chainOf = (slug: string, hardfork: Hardfork, { answer }: OpChain): object => ({
      slug,
      name: slug,
      chainId: CHAIN_ID,
      hardfork,
      rpcUrls: [nodes.add(`/${slug}`, answer)],
    });
    const isthmus = await OpChain.create();
    const jovian = { header: { extraData: JOVIAN }, slots: { [toWord(8)]: JOVIAN_WORD } };
    const config = {
      chains: [
        chainOf('isthmus', 'prague', isthmus),
        chainOf('jovian', 'osaka', await OpChain.create({}, jovian)),
        chainOf('ecotone', 'cancun', await OpChain.create({}, ECOTONE)),
        chainOf('bedrock', 'shanghai', await OpChain.create({}, BEDROCK)),
      ],
    };
    const service = await startService({ counted: true, config, dataDir });
    return new OpForks(nodes, nodes.add('/other', isthmus.answer), dataDir, config, service);
  }

  /** Kills the service, and starts it again. */
  async restart(): Promise<void> {
    await this.service.kill();
    this.service = await startService({
      counted: true,
      config: this.config,
      dataDir: this.dataDir,
    });
  }

  async close(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.nodes.close(), removeDirectory(this.dataDir)]);
  }

  /** A new fork after the chain's block. */
  async forkOf(slug: string): Promise<Fork> {
    const path = `/v1/project/${await localProject(this.service)}/fork`;
    const body = { name: 'sends', chainId: CHAIN_ID, chain: slug, height: '0x3e8' };
    const { code, message, data } = await this.service.request<Fork>('POST', path, { body });
    assert.equal(code, 0, message);
    await call(data.rpc, 'anvil_setBalance', SENDER, toQuantity(ETHER));
    await call(data.rpc, 'anvil_setBalance', NOBODY, toQuantity(ETHER));
    await call(data.rpc, 'anvil_setCode', ADDER, ADDER_CODE);
    return data;
  }

  async fork(forkId: string): Promise<Fork> {
    const path = `/v1/project/${await localProject(this.service)}/fork/${forkId}`;
    return (await this.service.request<Fork>('GET', path)).data;
  }
}
