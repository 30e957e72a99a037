import { Wallet } from 'ethers';
import fc from 'fast-check';
import { call } from '../support/json-rpc';

const KINDS = ['block', 'transaction', 'filter', 'signed'] as const;
type Kind = (typeof KINDS)[number];
const REFERENCE = new RegExp(`"@(${KINDS.join('|')})/(\\d)"`, 'g');
const FUNDED = `0x${'3e'.repeat(32)}`;
const SIGNED = 3;

/** A value that a fork has and a generator cannot know. It is replaced when the request is sent. */
export const reference = (kind: Kind): fc.Arbitrary<string> =>
  fc.nat({ max: 9 }).map((index) => `@${kind}/${index}`);

/** What a fork has: hashes of blocks and transactions, filters, and signed transactions that it accepts. */
export class ForkValues {
  readonly #values: Record<Kind, string[]> = { block: [], transaction: [], filter: [], signed: [] };

  /** Sends a transaction to the fork. @param rpc its address */
  static async of(rpc: string): Promise<ForkValues> {
    const found = new ForkValues();
    const { block, transaction, signed } = found.#values;
    const signer = new Wallet(FUNDED);
    const chainId = Number(await call(rpc, 'eth_chainId'));
    await call(rpc, 'anvil_setBalance', signer.address, '0xde0b6b3a7640000');
    for (let nonce = 0; nonce <= SIGNED; nonce++) {
      const gas = { gasLimit: 21_000, gasPrice: 50_000_000_000n };
      signed.push(await signer.signTransaction({ to: signer.address, nonce, chainId, ...gas }));
    }
    transaction.push(await call(rpc, 'eth_sendRawTransaction', signed.shift()));
    for (const number of ['0x1', '0x8', 'latest']) {
      block.push((await call<{ hash: string }>(rpc, 'eth_getBlockByNumber', number, false)).hash);
    }
    return found;
  }

  /** Adds the result of a request to what later ones refer to. */
  note(method: string, result: unknown): void {
    if (typeof result !== 'string') return;
    if (/^eth_new\w*Filter$/.test(method)) this.#values.filter.push(result);
    if (method === 'eth_sendTransaction') this.#values.transaction.push(result);
  }

  /** Replaces the references in parameters. */
  resolved(params: unknown): unknown {
    const text = JSON.stringify(params) as string | undefined;
    if (text === undefined) return undefined;
    const resolve = (whole: string, kind: Kind, index: string): string => {
      const values = this.#values[kind];
      const value = values[Number(index) % values.length];
      return value === undefined ? whole : JSON.stringify(value);
    };
    return JSON.parse(text.replace(REFERENCE, resolve));
  }
}
