import assert from 'node:assert/strict';
import { AbiCoder, id } from 'ethers';
import fc from 'fast-check';
import { netChanges } from '../../../server/analysis/balances/net-changes';
import {
  executionSteps,
  type CallFrame,
  type FrameItem,
  type Log,
} from '../../../server/analysis/call-frame';
import { buildInvocationFlow } from '../../../server/analysis/views/invocation-flow';
import { TraceDecoder } from '../../../server/analysis/decoding/trace-decoder';
import type { Transfer } from '../../../server/analysis/transfers/transfer';
import { collectTransfers } from '../../../server/analysis/transfers/collect';
import { NATIVE_ASSET, type TraceNode } from '../../../server/api/explorer';
import type { Hex } from '../../../server/api/primitives';
import { traceLines, readTraceLines } from '../../../server/execution/tracing/trace-lines';
import { account, frame, identification, log, word } from '../../support/analysis';

const coder = AbiCoder.defaultAbiCoder();

const topic = (signature: string) => id(signature) as Hex;
const TRANSFER = topic('Transfer(address,address,uint256)');
const TRANSFER_SINGLE = topic('TransferSingle(address,address,address,uint256,uint256)');
const TRANSFER_BATCH = topic('TransferBatch(address,address,address,uint256[],uint256[])');
const DEPOSIT = topic('Deposit(address,uint256)');
const WITHDRAWAL = topic('Withdrawal(address,uint256)');
const WRAPPED = account(0x3e7);
const addressWord = (number: number): Hex => word(BigInt(account(number)));

const party = fc.integer({ min: 1, max: 5 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const tokenId = fc.bigInt({ min: 0n, max: 3n });
const batch = fc.array(fc.tuple(tokenId, amount), { maxLength: 4 });
/** The standard events of token transfers, each from a different token. */
const tokenLog: fc.Arbitrary<Log> = fc.oneof(
  fc
    .tuple(party, party, amount)
    .map(([from, to, n]) =>
      log(account(0x20), [TRANSFER, addressWord(from), addressWord(to)], word(n)),
    ),
  fc
    .tuple(party, party, tokenId)
    .map(([from, to, n]) =>
      log(account(0x721), [TRANSFER, addressWord(from), addressWord(to), word(n)]),
    ),
  fc
    .tuple(party, party, tokenId, amount)
    .map(([from, to, ...values]) =>
      log(
        account(0x1155),
        [TRANSFER_SINGLE, addressWord(1), addressWord(from), addressWord(to)],
        coder.encode(['uint256', 'uint256'], values) as Hex,
      ),
    ),
  fc
    .tuple(party, party, batch)
    .map(([from, to, items]) =>
      log(
        account(0x1155),
        [TRANSFER_BATCH, addressWord(1), addressWord(from), addressWord(to)],
        coder.encode(
          ['uint256[]', 'uint256[]'],
          [items.map(([n]) => n), items.map(([, n]) => n)],
        ) as Hex,
      ),
    ),
  fc
    .tuple(fc.constantFrom(DEPOSIT, WITHDRAWAL), party, amount)
    .map(([event, who, n]) => log(WRAPPED, [event, addressWord(who)], word(n))),
);

const frames: fc.Arbitrary<CallFrame> = fc.letrec<{ frame: CallFrame }>((tie) => ({
  frame: fc
    .record({
      from: fc.integer({ min: 1, max: 5 }),
      to: fc.integer({ min: 1, max: 5 }),
      value: fc.bigInt({ min: 0n, max: 10n ** 20n }),
      failed: fc.boolean(),
      type: fc.constantFrom('CALL', 'STATICCALL', 'DELEGATECALL', 'CREATE', 'CREATE2', 'CALLCODE'),
      items: fc.array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          tokenLog.map((one): FrameItem => one),
          tie('frame').map((one): FrameItem => one),
        ),
        { maxLength: 4 },
      ),
    })
    .map(({ from, to, value, failed, type, items }) =>
      frame({
        type: type as CallFrame['type'],
        from: account(from),
        to: account(to),
        value: type === 'STATICCALL' || type === 'DELEGATECALL' ? 0n : value,
        ...(failed ? { error: 'execution reverted' } : {}),
        items,
      }),
    ),
})).frame;
const MOVING = new Set(['CALL', 'CREATE', 'CREATE2']);

/** Amount of a log of `tokenLog`, over all ids. */
function amountOf({ topics, data }: Log): bigint {
  if (topics[0] === TRANSFER_SINGLE) return BigInt(`0x${data.slice(66)}`);
  if (topics[0] === TRANSFER_BATCH) {
    const amounts = coder.decode(['uint256[]', 'uint256[]'], data)[1] as bigint[];
    return amounts.reduce((sum, one) => sum + one, 0n);
  }
  return data === '0x' ? 1n : BigInt(data);
}

const transfersIn = (root: CallFrame): Transfer[] =>
  collectTransfers(root, {
    contracts: new Map(),
    wrappedNative: WRAPPED,
    destructionNeedsCreation: true,
  });

describe('any call tree', () => {
  it('keeps order, depth, ids and the rolled-back state of its frames', () => {
    fc.assert(
      fc.property(frames, (root) => {
        const { trace, dataMap } = buildInvocationFlow(root, new TraceDecoder(identification()));
        const steps = [...executionSteps(root)];
        const nodes: TraceNode[] = [];
        const visit = (node: TraceNode): void => {
          nodes.push(node);
          for (const child of node.children) {
            assert.equal(child.depth, node.depth + 1);
            visit(child);
          }
        };
        visit(trace[0]!);
        assert.deepEqual(
          nodes.map(({ id }) => id),
          [-1, ...steps.keys()],
        );
        for (const [id, { frame: of, log: emitted, depth, reverted }] of steps.entries()) {
          const node = dataMap[id]!;
          assert.equal(nodes[id + 1]?.depth, emitted ? depth + 1 : depth);
          if ('event' in node) {
            assert.deepEqual([node.event.id, node.event.revert], [id, reverted]);
            assert.deepEqual(node.event.topics, emitted?.topics);
          } else {
            const { invocation } = node;
            assert.equal(emitted, undefined);
            assert.deepEqual(
              [invocation.id, invocation.revert, invocation.status],
              [id, reverted, of.error === undefined],
            );
          }
        }
      }),
    );
  });

  it('creates no value: the nets of each asset and token id sum to zero', () => {
    fc.assert(
      fc.property(frames, (root) => {
        const sums = new Map<string, bigint>();
        for (const { asset, tokenId: id, amount: net } of netChanges(transfersIn(root))) {
          const key = [asset, id].join();
          sums.set(key, (sums.get(key) ?? 0n) + net);
        }
        for (const [key, sum] of sums) assert.equal(sum, 0n, key);
      }),
      { numRuns: 500 },
    );
  });

  it('transfers the amounts of its calls and events that were not rolled back, for every kind', () => {
    fc.assert(
      fc.property(frames, (root) => {
        const moved = new Map<string, bigint>();
        for (const { asset, amount: one } of transfersIn(root)) {
          moved.set(asset, (moved.get(asset) ?? 0n) + one);
        }
        const expected = new Map<string, bigint>();
        for (const { frame: of, log: emitted, reverted } of executionSteps(root)) {
          if (reverted) continue;
          const asset = emitted?.address ?? NATIVE_ASSET;
          const one = emitted ? amountOf(emitted) : MOVING.has(of.type) ? of.value : 0n;
          expected.set(asset, (expected.get(asset) ?? 0n) + one);
        }
        const some = ([, total]: [string, bigint]): boolean => total > 0n;
        assert.deepEqual(new Map([...moved].filter(some)), new Map([...expected].filter(some)));
      }),
      { numRuns: 500 },
    );
  });

  it('is equal after writing to disk and reading', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (root) => {
        const changes = { pre: {}, post: { [root.from]: { balance: '0x1' } } };
        const trace = { root, method: 'replay', reportedGas: 1, applied: 2, changes } as const;
        async function* lines() {
          await Promise.resolve();
          yield* traceLines('name', trace);
        }
        assert.deepEqual(await readTraceLines('name', lines()), trace);
      }),
    );
  });
});
