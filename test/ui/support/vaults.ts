import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AbiCoder, id } from 'ethers';
import { Foundry } from '../../support/foundry';
import { call } from '../../support/json-rpc';

const CAROL = `0x${'ca'.repeat(20)}`;

/** The project of `test/fixtures/foundry`, built with forge: a teller that stores in a vault. */
export class Vaults {
  private constructor(readonly project: string) {}

  /** @param home folder that the project is copied into */
  static async build(home: string): Promise<Vaults> {
    const foundry = await Foundry.open(home);
    await foundry.forge('build');
    return new Vaults(foundry.project);
  }

  /** Deploys a vault and its teller on the fork of the RPC URL. @returns the address of the teller */
  async deploy(url: string): Promise<string> {
    await call(url, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
    const vault = await create(url, await this.#creationCode('Vault'));
    const argument = AbiCoder.defaultAbiCoder().encode(['address'], [vault]).slice(2);
    return create(url, (await this.#creationCode('Teller')) + argument);
  }

  async #creationCode(name: string): Promise<string> {
    const file = path.join(this.project, `out/${name}.sol/${name}.json`);
    const artifact = JSON.parse(await readFile(file, 'utf8')) as { bytecode: { object: string } };
    return artifact.bytecode.object;
  }
}

async function create(url: string, data: string): Promise<string> {
  const hash = await call(url, 'eth_sendTransaction', { from: CAROL, data, gas: '0x2dc6c0' });
  const receipt = await call<{ contractAddress: string }>(url, 'eth_getTransactionReceipt', hash);
  return receipt.contractAddress;
}

/** Calls the teller to store an amount and its double. @returns the hash of the transaction */
export function storeTwice(url: string, teller: string, amount: number): Promise<string> {
  const data = id('storeTwice(uint256)').slice(0, 10) + amount.toString(16).padStart(64, '0');
  return call(url, 'eth_sendTransaction', { from: CAROL, to: teller, data, gas: '0x30d40' });
}
