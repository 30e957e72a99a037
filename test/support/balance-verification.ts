import { netChanges } from '../../server/analysis/balances/net-changes';
import { readExecutionState, type StateOverride } from '../../server/analysis/execution-state';
import { BalanceVerifier, balanceVerification } from '../../server/analysis/balances/verify';
import { collectTransfers } from '../../server/analysis/transfers/collect';
import type { CallFrame, Log } from '../../server/analysis/call-frame';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import type { BalanceVerification } from '../../server/api/verification';
import { RpcError } from '../../server/evm/forms/json-rpc';
import { account, log, mappingSlot, mined, network, word } from './analysis';
import { ScriptedRpc, type Handlers } from './scripted-rpc';

export const [ALICE, BOB, TOKEN, MINER] = [
  account(0xa11),
  account(0xb0b),
  account(0x70),
  account(0xfee),
];
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Time limit of a check, in milliseconds: longer than any pause of a busy machine. */
const PATIENCE_MS = 60_000;
export const transaction = mined();
/** What a transaction costs, wei. */
export const fee = 21_000n * 1_000_000_000n;

/** Slot of a balance in a token whose first variable is `mapping(address => uint256) balanceOf`. */
const slotOf = (holder: Address): Hash => mappingSlot(word(holder), 0);
const addressIn = (data: Hex): Address => `0x${data.slice(34, 74)}`;

/** The token's balanceOf reads the state override of the call. */
const tokenNode: Handlers = {
  eth_call: ({ to, data }: { to: Address; data?: Hex }, _block: Hex, state: StateOverride) => {
    if (data === undefined) return state[to]?.code === undefined ? '0x' : word(1);
    const slots = state[to]?.stateDiff;
    if (data === TOTAL_SUPPLY) return slots?.[word(SUPPLY)] ?? word(0);
    if (!data.startsWith(OWNER_OF)) return slots?.[slotOf(addressIn(data))] ?? word(0);
    const owner = slots?.[ownerSlot(BigInt(`0x${data.slice(10)}`))] ?? word(0);
    if (BigInt(owner) === 0n) throw new RpcError(3, 'execution reverted: no such token');
    return owner;
  },
};
const [TOTAL_SUPPLY, OWNER_OF] = ['0x18160ddd', '0x6352211e'];
/** Slots of variables: the supply and the fee recipient. */
export const [SUPPLY, COLLECTOR] = [2, 3];

/** Slot of an owner in `mapping(uint256 => address)`, declared in slot 1. */
export const ownerSlot = (id: bigint): Hash => mappingSlot(word(id), 1);

export interface Story {
  root: CallFrame;
  /** Token balances before and after. */
  tokens?: Record<Address, [number, number]>;
  /** Other slots of the token, before and after. */
  slots?: Record<Hash, [bigint | number, bigint | number]>;
  /** Native balances before and after. */
  native?: Record<Address, [bigint, bigint]>;
  node?: Handlers;
}

/** Verifies the balance changes of an execution on a node with one token. */
export async function verify({
  root,
  tokens = {},
  native = {},
  slots = {},
  node = tokenNode,
}: Story): Promise<BalanceVerification> {
  const side = (index: 0 | 1) => ({
    ...Object.fromEntries(
      Object.entries(native).map(([key, value]) => [
        key,
        { balance: `0x${value[index].toString(16)}` },
      ]),
    ),
    [TOKEN]: {
      storage: Object.fromEntries([
        ...Object.entries(tokens).map(([key, value]) => [
          slotOf(key as Address),
          word(value[index]),
        ]),
        ...Object.entries(slots).map(([slot, value]) => [slot, word(value[index])]),
      ]) as Record<Hash, Hash>,
    },
  });
  const state = readExecutionState(side(0), { pre: side(0), post: side(1) });
  const transfers = collectTransfers(root, {
    contracts: new Map(),
    destructionNeedsCreation: true,
  });
  const nets = netChanges(transfers);
  const verifier = new BalanceVerifier({ state: () => Promise.resolve(state) }, PATIENCE_MS);
  const trace = { root, method: 'debug', reportedGas: 21_000 } as const;
  const on = network(new ScriptedRpc(node));
  const proof = await verifier.prove(
    { network: on, mined: transaction, trace, transfers, nets, contracts: new Map() },
    new AbortController().signal,
  );
  const verification = balanceVerification(base, proof);
  delete verification.compared;
  return verification;
}

/** The token's event of a transfer from Alice to Bob. */
export const transferLog = (amount: number): Log =>
  log(TOKEN, [TRANSFER_TOPIC, word(ALICE), word(BOB)], word(amount));
/** Native balances that differ by the fee only. */
export const paidFee: NonNullable<Story['native']> = {
  [ALICE]: [2n * fee, fee],
  [MINER]: [0n, fee],
};
export const base = { level: 'state-proved', method: 'debug', faithful: true } as const;
