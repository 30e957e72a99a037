import { AbiCoder, keccak256, type Wallet } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import { CAST, lower, type Deployed, type Stage } from './stage';

export const NOBODY: Address = `0x${'0'.repeat(40)}`;
const FOREVER = 2n ** 48n;
export const UNLIMITED = 2n ** 256n - 1n;

/** What all made transactions share. */
export interface World {
  readonly stage: Stage;
  /** Six decimals. */
  readonly usd: Deployed;
  /** No decimals. */
  readonly gem: Deployed;
  readonly taxed: Deployed;
  readonly art: Deployed;
}

/** A transaction that was made for the first screen. */
export interface Case {
  readonly name: string;
  /** Makes the transaction and what has to be there before it. @returns its hash */
  readonly play: (world: World) => Promise<string>;
  /** Kinds of its findings. A near miss has none. */
  readonly findings: readonly string[];
}

export async function openWorld(stage: Stage): Promise<World> {
  const usd = await stage.deploy('usd', 'Token', ['DUSD', 6]);
  const gem = await stage.deploy('gem', 'Token', ['GEM', 0]);
  const collector = lower(CAST.deployer);
  const taxed = await stage.deploy('taxed', 'TaxedToken', ['TAXED', 6, collector]);
  const art = await stage.deploy('art', 'Collection');
  for (const token of [usd, gem, taxed, art]) stage.names.delete(token.at);
  return { stage, usd, gem, taxed, art };
}

/** Mints tokens for an account. */
export const give = (
  { stage }: World,
  token: Deployed,
  to: Wallet | Deployed,
  amount: bigint,
): Promise<string> =>
  stage.call(CAST.deployer, token, 'mint', 'at' in to ? to.at : lower(to), amount);

export const usd = (whole: number): bigint => BigInt(whole) * 1_000_000n;

/** The signature of a permit of `Token`. */
export function signPermit(
  owner: Wallet,
  token: Deployed,
  spender: Address,
  amount: bigint,
  nonce: number,
): [bigint, number, string, string] {
  const { v, r, s } = owner.signingKey.sign(
    keccak256(
      AbiCoder.defaultAbiCoder().encode(
        ['address', 'address', 'address', 'uint256', 'uint256', 'uint256'],
        [token.at, owner.address, spender, amount, nonce, FOREVER],
      ),
    ),
  );
  return [FOREVER, v, r, s];
}
