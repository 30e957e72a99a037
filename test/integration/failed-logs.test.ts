import assert from 'node:assert/strict';
import { getCreateAddress } from 'ethers';
import { NODE_TYPE, type InvocationFlow } from '../../server/api/explorer';
import type { Address, Hex } from '../../server/api/primitives';
import { toQuantity } from '../../server/evm/forms/quantity';
import { HardhatNode } from '../support/hardhat-node';
import { startService, type TestService } from '../support/service';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const GAS = '62030d40'; // PUSH3 200,000
const at = (byte: string): Address => `0x${byte.repeat(20)}`;
const callWith = (opcode: string, to: Address, gas = GAS): string =>
  `5f5f5f5f${opcode === 'f1' ? '5f' : ''}73${to.slice(2)}${gas}${opcode}50`;
const STATICCALL = 'fa';
const DELEGATECALL = 'f4';
const CALL = 'f1';
/** A log with one byte of data: the number. */
const log = (number: number): string => `60${number.toString(16).padStart(2, '0')}5f5360015fa0`;
const REVERT = '5f5ffd';

interface Case {
  name: string;
  /** By address; the first one is called. */
  codes: [Address, string][];
  /** All shown events: emitter, data, and whether it was rolled back. */
  events: [Address, Hex, boolean][];
}

const [OUTER, INNER, LIBRARY] = [at('d0'), at('d1'), at('d2')];
const LAST: Case['events'][number] = [OUTER, '0x09', false];
const INIT = `${log(3)}${REVERT}`;

const CASES: Case[] = [
  {
    name: 'of a static call was never emitted',
    codes: [
      [OUTER, callWith(STATICCALL, INNER)],
      [INNER, log(1)],
    ],
    events: [LAST],
  },
  {
    name: 'of a delegate call below a static call was never emitted',
    codes: [
      [OUTER, callWith(STATICCALL, INNER)],
      [INNER, callWith(DELEGATECALL, LIBRARY)],
      [LIBRARY, log(1)],
    ],
    events: [LAST],
  },
  {
    name: 'that the gas does not suffice for was never emitted, the one before it was',
    codes: [
      [OUTER, callWith(CALL, INNER, '62000258')], // 600 gas suffice for one log
      [INNER, log(1) + log(2)],
    ],
    events: [[INNER, '0x01', true], LAST],
  },
  {
    name: 'without its operands was never emitted',
    codes: [
      [OUTER, callWith(CALL, INNER)],
      [INNER, `${log(1)}a4`],
    ],
    events: [[INNER, '0x01', true], LAST],
  },
  {
    name: 'that is the last instruction of rolled back code was emitted',
    codes: [
      [OUTER, callWith(CALL, INNER)],
      [INNER, callWith(CALL, LIBRARY) + REVERT],
      [LIBRARY, log(1)],
    ],
    events: [[LIBRARY, '0x01', true], LAST],
  },
  {
    name: 'of memory that was not written yet has zeros',
    codes: [
      [OUTER, callWith(CALL, INNER)],
      [INNER, `60035f5360036002a0${REVERT}`],
    ],
    events: [[INNER, '0x000000', true], LAST],
  },
  {
    name: 'of init code that fails was emitted by the contract that was not created',
    codes: [
      [
        OUTER,
        `6b${INIT.padEnd(24, '0')}5f52600c60145ff050`, // CREATE with 12 bytes
      ],
    ],
    events: [
      [getCreateAddress({ from: OUTER, nonce: 0 }).toLowerCase() as Address, '0x03', true],
      LAST,
    ],
  },
];

async function analyse(service: TestService, hash: string): Promise<InvocationFlow> {
  const path = `/v1/explorer/eth/transaction/${hash}/invocation-flow`;
  const { data, message } = await service.request<InvocationFlow>('GET', path);
  assert.equal(message, 'OK');
  return data;
}

describe('an event', () => {
  let engines: TestEngines;
  before(async () => {
    engines = await testEngines();
  });
  after(() => engines.close());

  for (const method of ['replay', 'debug'] as const) {
    describe(`in a trace by ${method}`, () => {
      let service: TestService;
      let hashes: string[];
      let node: HardhatNode | undefined;
      before(async () => {
        let chain: TestChain | HardhatNode;
        if (method === 'replay') {
          chain = node = await HardhatNode.launch();
          await node.rpc.request('hardhat_setBalance', [ALICE.address, toQuantity(10n ** 21n)]);
        } else chain = await TestChain.start(engines.start);
        const [rpc, url] =
          chain instanceof HardhatNode
            ? [chain.rpc, chain.url]
            : [chain.engine.rpc, chain.engine.url];
        hashes = [];
        for (const { codes } of CASES) {
          for (const [index, [address, code]] of codes.entries()) {
            const tail = index === 0 ? log(9) : '';
            await rpc.request('hardhat_setCode', [address, `0x${code}${tail}`]);
          }
          await chain.mine();
          hashes.push(
            await chain.send(ALICE, {
              type: 0,
              gasPrice: 10n ** 11n,
              gasLimit: 2_000_000,
              to: OUTER,
            }),
          );
          await chain.mine();
        }
        service = await startService({
          counted: true,
          config: {
            chains: [ethChain(url, { hardfork: 'prague' })],
            abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
            prices: { source: 'none' },
          },
        });
      });
      after(async () => {
        await service.stop();
        await node?.close();
      });
      for (const [index, { name, events }] of CASES.entries()) {
        it(name, async () => {
          const { dataMap, verification } = await analyse(service, hashes[index]!);
          assert.deepEqual([verification.method, verification.faithful], [method, true]);
          const shown = Object.values(dataMap).flatMap((node) =>
            node.nodeType === NODE_TYPE.event
              ? [[node.event.contract, node.event.logData, node.event.revert]]
              : [],
          );
          assert.deepEqual(shown, events);
        });
      }
    });
  }
});
