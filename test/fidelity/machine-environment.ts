import type { Environment } from '../../server/debugger/evm/environment';
import {
  recordedPrecompiles,
  type RecordedCall,
} from '../../server/debugger/evm/recorded-precompiles';
import type { Prestate } from '../../server/debugger/evm/world';
import { authorizationsOf } from '../../server/ethereum/authorizations';
import { blobPriceAt } from '../../server/rules/blob-price';
import { intrinsicGas } from '../../server/rules/intrinsic-gas';
import { toQuantity } from '../../server/ethereum/quantity';
import type { Executed, PlayedBlock } from './reference/chain';
import type { Frame } from './reference/frames';
import type { PlannedHardfork } from './reference/plan';
import type { WorldState } from './reference/state';

const bytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');

/** The accounts of the reference as the state before an execution. */
export const prestateOf = (world: WorldState): Prestate => ({
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

/** What the machine needs to execute a transaction that the reference executed. */
export function environmentOf(
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
