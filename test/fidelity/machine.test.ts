import assert from 'node:assert/strict';
import { hexlify } from 'ethers';
import type { Environment } from '../../server/debugger/evm/environment';
import type { Frame as MachineFrame } from '../../server/debugger/evm/frame';
import { Machine } from '../../server/debugger/evm/machine';
import {
  recordedPrecompiles,
  type RecordedCall,
} from '../../server/debugger/evm/recorded-precompiles';
import { beginTransaction, gasUsed } from '../../server/debugger/evm/transaction';
import type { Prestate } from '../../server/debugger/evm/world';
import { authorizationsOf } from '../../server/ethereum/authorizations';
import { blobPriceAt } from '../../server/chains/blob-price';
import { intrinsicGas } from '../../server/ethereum/intrinsic-gas';
import { toQuantity, toWord } from '../../server/ethereum/quantity';
import { ADVERSARIAL_CASES } from './adversarial/cases';
import { appliesTo, planOf } from './adversarial/case';
import { randomAlloc, randomCalls } from './random-programs/plan';
import { Random } from './random-programs/random';
import { ReferenceChain, type Executed, type PlayedBlock } from './reference/chain';
import type { Frame } from './reference/frames';
import { HARDFORKS, type PlannedHardfork } from './reference/plan';
import type { WorldState } from './reference/state';

const bytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');

const prestateOf = (world: WorldState): Prestate => ({
  accounts: new Map(
    [...world].map(([address, { balance, nonce, code, storage }]) => [
      address,
      {
        ...{ balance, nonce, code: bytes(code) },
        storage: new Map([...storage].map(([slot, value]) => [BigInt(slot), BigInt(value)])),
      },
    ]),
  ),
});

const recorded = (frame: Frame): RecordedCall => ({
  type: frame.type,
  to: frame.to,
  input: frame.input,
  output: frame.output,
  gasUsed: toQuantity(frame.gasUsed),
  ...(frame.error === undefined ? {} : { error: frame.error }),
  calls: frame.calls.map(recorded),
});

function environmentOf(
  hardfork: PlannedHardfork,
  { context }: PlayedBlock,
  { transaction, gasPrice, root, before, blobGasPrice }: Executed,
  hashes: ReadonlyMap<bigint, bigint>,
): { environment: Environment; floor: number } {
  const rpc = {
    from: transaction.from!.toLowerCase() as `0x${string}`,
    to: transaction.to === null ? null : (transaction.to.toLowerCase() as `0x${string}`),
    input: transaction.data as `0x${string}`,
    type: toQuantity(transaction.type ?? 0),
    accessList: (transaction.accessList ?? []) as never,
    authorizationList: (transaction.authorizationList ?? []).map((one) => ({
      chainId: toQuantity(one.chainId),
      address: one.address.toLowerCase(),
      nonce: toQuantity(one.nonce),
      yParity: toQuantity(one.signature.yParity),
      r: one.signature.r,
      s: one.signature.s,
    })) as never,
  };
  const gas = intrinsicGas(rpc, hardfork)!;
  const nonces = new Map<string, number>([[rpc.from, (before.get(rpc.from)?.nonce ?? 0) + 1]]);
  const delegations = authorizationsOf(rpc).flatMap(({ authority, delegate, nonce, chainId }) => {
    const account = before.get(authority);
    const known = nonces.get(authority) ?? account?.nonce ?? 0;
    if (chainId !== 0n && chainId !== 1n) return [];
    const code = account?.code ?? '0x';
    if (nonce !== BigInt(known) || (code !== '0x' && !code.startsWith('0xef0100'))) return [];
    nonces.set(authority, known + 1);
    const isRemoval = BigInt(delegate) === 0n;
    return [{ authority, code: bytes(isRemoval ? '0x' : `0xef0100${delegate.slice(2)}`) }];
  });
  const random =
    context.difficulty !== undefined || ['berlin', 'london'].includes(hardfork)
      ? (context.difficulty ?? 0x20000n)
      : BigInt(context.prevRandao);
  return {
    floor: gas.floor ?? 0,
    environment: {
      chainId: 1n,
      hardfork,
      block: {
        number: context.number,
        timestamp: context.timestamp,
        coinbase: context.coinbase.toLowerCase(),
        gasLimit: context.gasLimit,
        baseFee: context.baseFee ?? 0n,
        random,
        blobBaseFee:
          context.excessBlobGas === undefined
            ? 0n
            : (blobPriceAt(
                { chainId: 0, hardfork },
                {
                  excessBlobGas: toQuantity(context.excessBlobGas),
                  timestamp: toQuantity(context.timestamp),
                },
              ) ?? blobGasPrice),
        hashes,
      },
      transaction: {
        ...{ from: rpc.from, to: rpc.to, value: transaction.value, gasPrice },
        input: bytes(rpc.input),
        gas: Number(transaction.gasLimit),
        accessList: (transaction.accessList ?? []).map(({ address, storageKeys }) => ({
          address: address.toLowerCase(),
          slots: storageKeys.map(BigInt),
        })),
        blobHashes: (transaction.blobVersionedHashes ?? []).map(BigInt),
        delegations,
        intrinsicGas: gas.intrinsic,
      },
      // The gas of the transaction's own frame includes the intrinsic gas.
      precompile: recordedPrecompiles(
        hardfork,
        recorded({ ...root, gasUsed: root.gasUsed - BigInt(gas.intrinsic) }),
      ),
    },
  };
}

interface Node {
  type: string;
  from: string;
  to: string;
  value: bigint;
  input: string;
  gas: number;
  gasUsed: number;
  output: string;
  failed: boolean;
  calls: Node[];
}

/** Runs a transaction on the machine. */
function run(environment: Environment, prestate: Prestate) {
  const open: Node[] = [];
  let root: Node | undefined;
  const machine = Machine.create(environment, prestate, {
    enter: ({ context }: MachineFrame) => {
      const isCreation = context.kind.startsWith('CREATE');
      const node: Node = {
        type: context.kind,
        from:
          context.kind === 'DELEGATECALL' || context.kind === 'CALLCODE'
            ? context.address
            : context.caller,
        to: context.codeAddress,
        value: context.kind === 'DELEGATECALL' ? 0n : context.value,
        input: hexlify(isCreation ? context.code : context.input),
        gas: context.gas,
        gasUsed: 0,
        output: '0x',
        failed: false,
        calls: [],
      };
      open.at(-1)?.calls.push(node);
      open.push(node);
    },
    leave: (frame, end) => {
      const node = open.pop()!;
      node.gasUsed = node.gas - frame.gas;
      node.failed = end.kind !== 'returned';
      node.output = hexlify(end.output);
      if (open.length === 0) root = node;
    },
  });
  beginTransaction(machine);
  while (machine.step());
  return { machine, root: root! };
}

const expected = (frame: Frame): Node => ({
  type: frame.type,
  from: frame.from,
  to: frame.to,
  value: frame.type === 'DELEGATECALL' ? 0n : frame.value,
  input: frame.input,
  gas: Number(frame.gas),
  gasUsed: Number(frame.gasUsed),
  output: frame.output,
  failed: frame.error !== undefined,
  calls: frame.calls
    .filter(
      ({ error, type }) => error !== 'insufficient balance for transfer' && type !== 'SELFDESTRUCT',
    )
    .map(expected),
});

/** The frame of a failed creation names no account in the reference. */
const plain = ({ calls, ...node }: Node): object => ({
  ...node,
  ...(node.failed && node.type.startsWith('CREATE') ? { to: '' } : {}),
  calls: calls.map(plain),
});

function compare(
  hardfork: PlannedHardfork,
  block: PlayedBlock,
  one: Executed,
  hashes: ReadonlyMap<bigint, bigint>,
): number {
  const { environment, floor } = environmentOf(hardfork, block, one, hashes);
  const { machine, root } = run(environment, prestateOf(one.before));
  const inner = (node: Node): object => ({ ...plain(node), gas: 0, gasUsed: 0 });
  assert.deepEqual(inner(root), inner(expected(one.root)));
  assert.equal(gasUsed(machine, floor), Number(one.gasUsed));
  assert.equal(!root.failed, one.status);
  assert.deepEqual(
    machine.world.logs.map(({ address, topics, data }) => ({
      address,
      topics: topics.map((topic) => toWord(topic)),
      data: hexlify(data),
    })),
    one.logs,
  );
  for (const [address, { storage, code, nonce }] of one.after) {
    const account = machine.world.account(address);
    assert.equal(hexlify(account.code), code);
    assert.equal(account.nonce, nonce);
    for (const [slot, value] of storage) {
      assert.equal(machine.world.storage(address, BigInt(slot)), BigInt(value));
    }
  }
  return machine.steps;
}

const hashesOf = (chain: ReferenceChain): ReadonlyMap<bigint, bigint> =>
  new Map(chain.blocks.map(({ context, hash }) => [context.number, BigInt(hash)]));

describe("the debugger's machine", function () {
  this.timeout(300_000);

  for (const hardfork of HARDFORKS) {
    it(`executes the adversarial blocks of ${hardfork} as the reference`, async () => {
      for (const one of ADVERSARIAL_CASES) {
        if (!appliesTo(one, hardfork)) continue;
        const chain = await ReferenceChain.play(planOf(one, hardfork));
        for (const block of chain.blocks) {
          for (const executed of block.transactions) {
            try {
              compare(hardfork, block, executed, hashesOf(chain));
            } catch (error) {
              throw new Error(
                `${one.name}, transaction ${executed.index}: ${(error as Error).message}`,
                { cause: error },
              );
            }
          }
        }
      }
    });

    it(`executes random programs of ${hardfork} as the reference`, async () => {
      const random = new Random(7);
      const chain = await ReferenceChain.start({ hardfork, alloc: randomAlloc(random, hardfork) });
      await chain.add({ transactions: [] });
      const nonces = new Map<string, number>();
      let steps = 0;
      for (let i = 0; i < 12; i++) {
        const block = await chain.add({ transactions: randomCalls(random, 8, nonces) });
        for (const executed of block.transactions)
          steps += compare(hardfork, block, executed, hashesOf(chain));
      }
      assert.ok(steps > 1_000, `${steps} steps`);
    });
  }
});
