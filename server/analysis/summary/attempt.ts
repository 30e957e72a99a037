import { NATIVE_ASSET } from '../../api/native-asset';
import { isGuess, type Param } from '../../api/decoding';
import type { Address } from '../../api/primitives';
import { isCreation } from '../call-frame';
import { called } from './acts';
import type { Clause } from './clause';
import type { Quantity } from './quantity';
import type { Scene } from './scene';

/** What a failed transaction was to do, by the arguments of its top call. */
export function attemptOf(scene: Scene): Clause {
  const { root, decoder } = scene;
  const plain = called(scene);
  const value = native(root.value);
  if (isCreation(root)) return plain;
  if (root.input === '0x') return { ...plain, kind: 'sent', gave: [value] };
  const call = decoder.decodeCall(root);
  const attempted =
    root.to !== null && call && !isGuess(call.source)
      ? ATTEMPTS[call.signature]?.({ token: root.to, value, params: call.callParams, scene })
      : undefined;
  const paid = root.value > 0n ? { gave: [value] } : {};
  return { ...plain, ...(attempted ?? paid) };
}

interface Attempt {
  readonly token: Address;
  readonly value: Quantity;
  readonly params: readonly Param[];
  readonly scene: Scene;
}
type Attempted = Pick<Clause, 'kind'> & Partial<Clause>;

const native = (amount: bigint): Quantity => ({ asset: NATIVE_ASSET, standard: 'native', amount });
const counted = (asset: Address, amount: string): Quantity => ({
  asset,
  standard: 'erc20',
  amount: BigInt(amount),
});
const text = (params: readonly Param[], index: number): string => params[index]?.value ?? '0';
const account = (params: readonly Param[], index: number): Address =>
  text(params, index) as Address;

const pathIn = (params: readonly Param[], index: number): readonly Address[] =>
  JSON.parse(text(params, index)) as Address[];
const swapOf = (sold: Quantity, least: Quantity): Attempted => ({
  kind: 'swapped',
  gave: [sold],
  got: [least],
  isAtLeast: true,
});

const soldTokens = ({ params }: Attempt): Attempted | undefined => {
  const path = pathIn(params, 2);
  const [first, last] = [path[0], path.at(-1)];
  return first && last
    ? swapOf(counted(first, text(params, 0)), counted(last, text(params, 1)))
    : undefined;
};
const soldForNative = ({ params }: Attempt): Attempted | undefined => {
  const [first] = pathIn(params, 2);
  return first && swapOf(counted(first, text(params, 0)), native(BigInt(text(params, 1))));
};
const soldNative = ({ value, params }: Attempt): Attempted | undefined => {
  const last = pathIn(params, 1).at(-1);
  return last && swapOf(value, counted(last, text(params, 0)));
};

const AMOUNT_NAME = /^_?(amount|value|quantity|wad)_?$/i;

/** A number is taken for an amount by its name alone: a collection's `mint` has the same signature, with a token id. */
const minted = ({ token, params, scene }: Attempt): Attempted | undefined => {
  if (!AMOUNT_NAME.test(params[1]?.name ?? '')) return undefined;
  const recipient = account(params, 0);
  return {
    kind: 'minted',
    got: [counted(token, text(params, 1))],
    ...(recipient !== scene.root.from && { recipient }),
  };
};

/** By signature. Only methods whose arguments name the asset beside its amount. */
const ATTEMPTS: Readonly<Record<string, (attempt: Attempt) => Attempted | undefined>> = {
  'transfer(address,uint256)': ({ token, params }) => ({
    kind: 'sent',
    gave: [counted(token, text(params, 1))],
    counterparty: account(params, 0),
  }),
  'approve(address,uint256)': ({ token, params }) => ({
    kind: 'approved',
    gave: [counted(token, text(params, 1))],
    counterparty: account(params, 0),
  }),
  'mint(address,uint256)': minted,
  'deposit()': ({ token, value, scene }) =>
    token === scene.wrappedNative
      ? { kind: 'wrapped', gave: [value], got: [{ ...value, asset: token, standard: 'erc20' }] }
      : undefined,
  'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)': soldTokens,
  'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)':
    soldTokens,
  'swapExactTokensForETH(uint256,uint256,address[],address,uint256)': soldForNative,
  'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)':
    soldForNative,
  'swapExactETHForTokens(uint256,address[],address,uint256)': soldNative,
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)':
    soldNative,
};
