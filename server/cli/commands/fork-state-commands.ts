import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { invalidField } from '../../api/errors';
import { parseAmount, parseForkTime } from '../../client/amounts';
import { utc } from '../../client/format';
import { UsageError } from '../errors/usage-error';
import type { Handlers } from './context';
import { forkRpcTarget, type ForkRpcTarget } from './fork-rpc';

const NATIVE_DECIMALS = 18;

/** Operations on a fork over its JSON-RPC address. */
export const forkStateCommands: Handlers<
  'fork rpc' | 'fork fund' | 'fork impersonate' | 'fork time' | 'fork mine' | 'fork exec'
> = {
  'fork rpc': async ({ fork, method, params }, context) => {
    const node = await forkRpcTarget(fork, context);
    const result = await node.send(method, params.map(jsonOrText));
    const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2);
    context.out.result(result, text);
  },

  'fork fund': async ({ fork, account, amount, token }, context) => {
    const node = await forkRpcTarget(fork, context);
    const { client } = context.connection;
    if (token === undefined) {
      const wei = amountOf(amount, NATIVE_DECIMALS);
      await node.send('anvil_setBalance', [account, hex(wei)]);
      context.out.result({ account, balance: wei.toString() }, `${account} has ${amount} ether.`);
      return;
    }
    const params = { chain: node.fork.forkId, address: token };
    const facts = await client.call('getAddress', { params });
    const { symbol = 'tokens', decimals = 0 } = facts.token ?? {};
    const raw = amountOf(amount, decimals);
    await node.send('tenderly_setErc20Balance', [token, account, hex(raw)]);
    const text = `${account} has ${amount} ${symbol}.`;
    context.out.result({ account, token, balance: raw.toString() }, text);
  },

  'fork impersonate': async ({ fork, account, stop }, context) => {
    const node = await forkRpcTarget(fork, context);
    const method = stop ? 'anvil_stopImpersonatingAccount' : 'anvil_impersonateAccount';
    await node.send(method, [account]);
    const text = stop ? `${account} is no longer impersonated.` : `${account} is impersonated.`;
    context.out.result({ account, impersonated: !stop }, text);
  },

  'fork time': async ({ fork, time: text }, context) => {
    const time = parseForkTime(text.replace(/^\+\s*(\d+)\s*m$/, '+$1 min'));
    if (time === undefined) {
      const accepted =
        '+7d, +3600 (s, min, h, d, w), a UTC time such as 2026-01-31T12:00, or Unix seconds';
      throw invalidField('<time>', text, accepted);
    }
    const node = await forkRpcTarget(fork, context);
    const latest = await newestTimestamp(node);
    if (time.kind === 'at' && time.timestamp <= latest) {
      throw invalidField(
        '<time>',
        text,
        `a time after ${utc(latest)} UTC, that of the newest block`,
      );
    }
    if (time.kind === 'later') await node.send('evm_increaseTime', [time.seconds]);
    else await node.send('evm_setNextBlockTimestamp', [time.timestamp]);
    await node.send('evm_mine', []);
    const reached = await newestTimestamp(node);
    context.out.result({ timestamp: reached }, `${utc(reached)} UTC`);
  },

  'fork mine': async ({ fork, blocks }, context) => {
    const node = await forkRpcTarget(fork, context);
    await node.send('anvil_mine', [hex(blocks)]);
    const height = Number(await node.send('eth_blockNumber', []));
    context.out.result({ blocks, blockNumber: height }, `Block ${height}`);
  },

  'fork exec': async ({ fork, program }, context) => {
    const { fork: found } = await forkRpcTarget(fork, context);
    const [name = '', ...args] = program;
    const child = spawn(name, args, {
      stdio: 'inherit',
      env: { ...process.env, ETH_RPC_URL: found.rpc, FORKLENS_RPC_URL: found.rpc },
    });
    // The program gets Ctrl-C as well and decides how to end.
    const stop = (): void => void child.kill('SIGTERM');
    context.signal.addEventListener('abort', stop);
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
    } catch (error) {
      throw new UsageError(`<program> "${name}" cannot be run: ${(error as Error).message}`);
    } finally {
      context.signal.removeEventListener('abort', stop);
    }
  },
};

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

/** @throws ApiError `invalidField` */
function amountOf(text: string, decimals: number): bigint {
  const amount = parseAmount(text, decimals);
  if (amount !== undefined) return amount;
  throw invalidField(
    '<amount>',
    text,
    `an amount such as 1,000.5, with up to ${decimals} decimals`,
  );
}

/** Keeps numbers beyond 2^53 as text, because JSON numbers would lose digits. */
function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && !Number.isSafeInteger(value) ? text : value;
  } catch {
    return text;
  }
}

async function newestTimestamp({ send }: ForkRpcTarget): Promise<number> {
  const block = (await send('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
  return Number(block.timestamp);
}
