import { id } from 'ethers';
import type { Address, Hex } from '../../api/primitives';
import { containsSelector } from '../decoding/fallback-rule';
import type { Contract, KnownName, TokenFacts } from '../ports';
import { codesOf, type Traits, type TraitsOf } from './traits';

export interface NameFacts {
  readonly contracts: ReadonlyMap<Address, Contract>;
  readonly tokens: ReadonlyMap<Address, TokenFacts>;
  /** Names from lists of well-known contracts. */
  readonly listed: ReadonlyMap<Address, KnownName>;
  readonly traits: TraitsOf;
}

/** EIP-7702: prefix of the code of an account that delegates to a contract. */
const DELEGATION = '0xef0100';
/** Name of a proxy's own source, which does not say what it is. */
const PROXY_SOURCE = /proxy/i;
const FACTORY = ' Factory';
/** A Safe's singleton, such as `Safe 1.4.1` or `SafeL2 1.3.0`. */
const SAFE = /^Safe(L2)? \d/;

/** Standards and their functions; a contract of a standard has all of them. */
const STANDARDS: readonly (readonly [name: string, selectors: readonly Hex[]])[] = [
  [
    'ERC-1155',
    [
      'balanceOfBatch(address[],uint256[])',
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    ],
  ],
  ['ERC-721', ['ownerOf(uint256)', 'safeTransferFrom(address,address,uint256)']],
  [
    'ERC-20',
    [
      'totalSupply()',
      'balanceOf(address)',
      'transfer(address,uint256)',
      'transferFrom(address,address,uint256)',
      'approve(address,uint256)',
      'allowance(address,address)',
    ],
  ],
].map(([name, signatures]) => [
  name as string,
  (signatures as string[]).map((signature) => id(signature).slice(0, 10) as Hex),
]);

/**
 * Names of contracts by what is known of them besides their own sources: a pool by its tokens, a well-known contract by a list, a proxy by
 * its implementation, another one by the standard that its code has. Contains only names that replace or add to those of `contracts`.
 */
export function contractNames(facts: NameFacts): ReadonlyMap<Address, KnownName> {
  const names = new Map<Address, KnownName>();
  for (const [address, contract] of facts.contracts) {
    const name = nameOf(address, contract, facts);
    if (name) names.set(address, name);
  }
  return distinct(names);
}

function nameOf(address: Address, contract: Contract, facts: NameFacts): KnownName | undefined {
  const { code, name, implementation } = contract;
  if (code === undefined || code === '0x' || code.startsWith(DELEGATION)) return undefined;
  const { pool } = facts.traits.get(address) ?? {};
  if (pool) return { name: poolName(pool, facts), source: SOURCES.tokens };
  if (facts.tokens.get(address)?.symbol !== undefined) return undefined;
  const isGeneric = implementation !== undefined && name !== undefined && PROXY_SOURCE.test(name);
  if (name && !isGeneric) return undefined;
  const listed = facts.listed.get(address);
  if (listed) return listed;
  const target = implementation && nameOfTarget(implementation, facts);
  if (target) return { name: proxyName(target, address), source: SOURCES.implementation };
  if (name) return undefined;
  const kind = kindOf(contract, facts);
  return kind === undefined
    ? undefined
    : { name: `${kind} ${short(address)}`, source: SOURCES.code };
}

/** What a name rests on where no list says it. */
const SOURCES = {
  tokens: 'its tokens',
  implementation: 'its implementation',
  code: 'its code',
} as const;

const nameOfTarget = (target: Address, { contracts, listed }: NameFacts): string | undefined =>
  contracts.get(target)?.name ?? listed.get(target)?.name;

const proxyName = (target: string, address: Address): string =>
  SAFE.test(target) ? `Safe ${short(address)}` : `${target} (proxy)`;

function poolName(pool: NonNullable<Traits['pool']>, { tokens, listed }: NameFacts): string {
  const { kind, token0, token1, factory, fee, isConfirmed } = pool;
  const [one, other] = [token0, token1].map((token) => tokens.get(token)?.symbol ?? short(token));
  const percent = fee === undefined ? '' : ` ${fee / 10_000}%`;
  const maker = isConfirmed && factory ? (listed.get(factory)?.name ?? '') : '';
  const protocol = maker.endsWith(FACTORY) ? `${maker.slice(0, -FACTORY.length)} ` : '';
  return `${protocol}${one}/${other}${percent} ${kind}`;
}

function kindOf(contract: Contract, { contracts }: NameFacts): string | undefined {
  const codes = codesOf(contract, contracts);
  const standard = STANDARDS.find(([, selectors]) =>
    selectors.every((one) => codes.some((code) => containsSelector(code, one))),
  );
  return standard?.[0] ?? (contract.implementation === undefined ? undefined : 'proxy');
}

/** Contracts of equal names get their short addresses, so that they can be told apart. */
function distinct(names: ReadonlyMap<Address, KnownName>): ReadonlyMap<Address, KnownName> {
  const counts = new Map<string, number>();
  for (const { name } of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...names].map(([address, { name, source }]) => [
      address,
      { name: counts.get(name) === 1 ? name : `${name} ${short(address)}`, source },
    ]),
  );
}

const short = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
