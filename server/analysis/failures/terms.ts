import { NATIVE_ASSET } from '../../api/native-asset';
import { isGuess, type DecodedMethod } from '../../api/decoding';
import type { Address } from '../../api/primitives';
import { isInside, type Step } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { Cause } from './condition';

const EXPIRED = /expired|too old|deadline/i;
const TOO_LITTLE = /too ?little|insufficient.?output|min.?(out|return)|slippage/i;
const UNISWAP_TOO_LITTLE = 'UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT';
const GET_RESERVES = '0x0902f1ac';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Terms of a failed call that the sender set: a deadline, the least amount of a swap. */
export function termCauses(step: Step, reason: string, scene: Scene): Cause[] {
  const { frame } = step;
  if (frame.to === null || frame.type !== 'CALL') return [];
  if (!EXPIRED.test(reason) && !TOO_LITTLE.test(reason)) return [];
  const call = scene.decoder.decodeCall(frame);
  if (!call || isGuess(call.source)) return [];
  return EXPIRED.test(reason)
    ? lateCause(step, frame.to, call, scene.timestamp)
    : slippage(step, frame.to, call, reason, scene);
}

function lateCause(
  { id }: Step,
  contract: Address,
  { callParams }: DecodedMethod,
  blockTime: number,
): Cause[] {
  const named = callParams.find(
    ({ name, type }) => /^_?deadline$/.test(name) && type === 'uint256',
  );
  const deadline = Number(named?.value ?? Number.NaN);
  if (!(deadline < blockTime)) return [];
  return [{ kind: 'deadline', nodeId: id, contract, deadline, blockTime, proof: 'block' }];
}

function slippage(
  step: Step,
  contract: Address,
  { name, callParams }: DecodedMethod,
  reason: string,
  scene: Scene,
): Cause[] {
  const value = (type: string, pattern: RegExp): string | undefined =>
    callParams.find((param) => param.type === type && pattern.test(param.name))?.value;
  const least = value('uint256', /^_?amountOutMin(imum)?$/);
  const path = value('address[]', /^_?path$/);
  const recipient = value('address', /^_?(to|recipient)$/);
  if (least === undefined || path === undefined) return [];
  const tokens = JSON.parse(path) as Address[];
  const token = tokens.at(-1);
  if (token === undefined) return [];
  const found =
    lastReceived(step, token, recipient as Address | undefined, scene) ??
    (reason === UNISWAP_TOO_LITTLE
      ? quoted(step, value('uint256', /^amountIn$/), tokens, scene)
      : undefined);
  const needed = BigInt(least);
  if (!found || found.amount >= needed) return [];
  const isNative = name.split('For')[1]?.includes('ETH') === true;
  const counted = (amount: bigint): Quantity =>
    isNative
      ? { asset: NATIVE_ASSET, standard: 'native', amount }
      : { asset: token, standard: 'erc20', amount };
  return [
    {
      kind: 'slippage',
      nodeId: step.id,
      contract,
      has: counted(found.amount),
      needs: counted(needed),
      missing: counted(needed - found.amount),
      proof: 'trace',
      proofNodeId: found.nodeId,
    },
  ];
}

/** What the swap paid out before it was rolled back: the only transfer of the token to the recipient. */
function lastReceived(
  call: Step,
  token: Address,
  recipient: Address | undefined,
  { steps }: Scene,
): { amount: bigint; nodeId: number } | undefined {
  if (recipient === undefined) return undefined;
  const padded = `0x${recipient.slice(2).padStart(64, '0')}`;
  const found = steps.filter(
    ({ id, log }) =>
      log?.address === token &&
      log.topics[0] === TRANSFER &&
      log.topics[2] === padded &&
      log.data.length === 66 &&
      isInside(call, id),
  );
  const [only] = found;
  return only?.log && found.length === 1
    ? { amount: BigInt(only.log.data), nodeId: only.id }
    : undefined;
}

/** Output of a swap by Uniswap V2's formula and the reserves that the router read. */
function quoted(
  call: Step,
  amountIn: string | undefined,
  tokens: readonly Address[],
  { steps }: Scene,
): { amount: bigint; nodeId: number } | undefined {
  const reads = steps.filter(
    ({ id, frame, log }) => !log && frame.input === GET_RESERVES && isInside(call, id),
  );
  const last = reads.at(-1);
  if (amountIn === undefined || !last || reads.length !== tokens.length - 1) return undefined;
  let amount = BigInt(amountIn);
  for (const [index, { frame }] of reads.entries()) {
    if (frame.output.length !== 2 + 3 * 64) return undefined;
    const reserves = [0, 1].map((side) =>
      BigInt(`0x${frame.output.slice(2 + side * 64, 66 + side * 64)}`),
    );
    const isFirst = (tokens[index] ?? '') < (tokens[index + 1] ?? '');
    const [given = 0n, taken = 0n] = isFirst ? reserves : reserves.reverse();
    const paid = amount * 997n;
    if (given === 0n) return undefined;
    amount = (paid * taken) / (given * 1000n + paid);
  }
  return { amount, nodeId: last.id };
}
