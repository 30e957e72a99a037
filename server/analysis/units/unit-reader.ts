import type { NestedCall, Param } from '../../api/decoding';
import type { Event, Invocation } from '../../api/explorer';
import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import type { Reading } from '../../api/readings';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { toDecimal } from '../../evm/forms/quantity';
import type { TraitsOf } from '../names/traits';
import type { TokenFacts } from '../ports';
import { EVENT_RULES } from './event-rules';
import { Leaves, type Leaf } from './leaves';
import { METHOD_RULES } from './method-rules';
import { ruleOf, type PlacedUnit } from './rules';

export interface UnitContext {
  readonly traits: TraitsOf;
  /** Tokens that are not counted (ERC-721 and ERC-1155): their numbers are ids. */
  readonly collectibles: ReadonlySet<Address>;
  readonly isWrapper: (token: Address) => boolean;
}

/** A number whose unit is known, while the facts of its token may not be. */
interface Found {
  readonly param: Param;
  readonly path: string;
  /** Decimal. */
  readonly value: string;
  /** Undefined for a time. */
  readonly asset: Address | undefined;
}

/** Largest values of the types of amounts and times: "all", or "for ever". */
const LARGEST_AMOUNTS = new Set([256n, 160n, 128n, 96n].map((bits) => (1n << bits) - 1n));
const LARGEST_TIMES = new Set([256n, 48n].map((bits) => (1n << bits) - 1n));
/** The Universal Router's sign for "the balance of this contract" is the highest bit. */
const CONTRACT_BALANCE = 1n << 255n;
/** A token with more decimals has nothing that people read as a number. */
const MAX_DECIMALS = 36;
const NATIVE_DECIMALS = 18;
/** Unix seconds from 2001 to 2286. */
const FIRST_TIME = 1_000_000_000n;
const LAST_TIME = 10_000_000_000n;
/** Nested calls deeper than the decoder goes do not exist. */
const MAX_DEPTH = 8;
const MAX = 'max';

/**
 * Finds amounts and times in decoded calls and events by the rules of well-known methods and standards. Their units are written when the
 * facts of their tokens are known.
 */
export class UnitReader {
  readonly #found: Found[] = [];

  constructor(private readonly context: UnitContext) {}

  call({ operation, fromAddress, address, decodedMethod }: Invocation): void {
    if (!decodedMethod || operation.startsWith('CREATE')) return;
    const isDelegated = operation === 'DELEGATECALL' || operation === 'CALLCODE';
    const self = (isDelegated ? fromAddress : address) as Address;
    const { signature, callParams, returnParams } = decodedMethod;
    const rule = ruleOf(METHOD_RULES, signature);
    if (rule) {
      const args = new Leaves(callParams);
      this.#place(rule.args, args, self, args);
      this.#place(rule.returns, new Leaves(returnParams), self, args);
    }
    this.#nested(callParams, self, 0);
  }

  event({ contract, decodedLog }: Event): void {
    const rule = ruleOf(EVENT_RULES, decodedLog.signature);
    if (!rule) return;
    const args = new Leaves(decodedLog.params);
    this.#place(rule.args, args, contract as Address, args);
  }

  /** Tokens of the amounts. */
  get tokens(): Set<Address> {
    const tokens = new Set<Address>();
    for (const { asset } of this.#found) if (asset !== undefined) tokens.add(asset);
    tokens.delete(NATIVE_ASSET);
    return tokens;
  }

  /** Writes the units of what was found into the parameters. An amount of a token without known decimals stays a plain number. */
  *writeWork(facts: ReadonlyMap<Address, TokenFacts>, nativeSymbol: string): Work<void> {
    let written = 0;
    const native = { symbol: nativeSymbol, decimals: NATIVE_DECIMALS };
    for (const { param, path, value, asset } of this.#found) {
      const reading =
        asset === undefined
          ? timeOf(value)
          : amountOf(value, asset, asset === NATIVE_ASSET ? native : facts.get(asset));
      if (reading) (param.readings ??= []).push({ path, ...reading });
      if (++written % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    }
  }

  #nested(params: readonly Param[], self: Address, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const { nested } of params) {
      for (const call of nested ?? []) this.#nestedCall(call, self, depth);
    }
  }

  #nestedCall({ to, signature, callParams }: NestedCall, outer: Address, depth: number): void {
    const self = to === '' ? outer : (to as Address);
    const rule = ruleOf(METHOD_RULES, signature);
    if (rule) {
      const args = new Leaves(callParams);
      this.#place(rule.args, args, self, args);
    }
    this.#nested(callParams, self, depth + 1);
  }

  /** @param args of the call or event, which may name the token */
  #place(units: readonly PlacedUnit[], leaves: Leaves, self: Address, args: Leaves): void {
    for (const { index, inside, isEach, unit } of units) {
      const param = leaves.params[index];
      if (!param) continue;
      const own = leaves.of(index);
      const matching = isEach ? elementsOf(own, inside) : own.filter((l) => l.position === inside);
      for (const [at, { path, value }] of matching.entries()) {
        if (!/^-?\d{1,78}$/.test(value)) continue;
        const asset = unit === 'time' ? undefined : this.#assetOf(unit, self, args, at);
        if (unit !== 'time' && asset === undefined) continue;
        this.#found.push({ param, path, value, asset });
      }
    }
  }

  /** @param at index among the elements of an array, for `@2.*` */
  #assetOf(unit: string, self: Address, args: Leaves, at: number): Address | undefined {
    const { traits, collectibles, isWrapper } = this.context;
    const { pool, asset } = traits.get(self) ?? {};
    switch (unit) {
      case 'self':
        return collectibles.has(self) ? undefined : self;
      case 'wrapped':
        return isWrapper(self) ? self : undefined;
      case 'pool':
        return pool && self;
      case 'token0':
      case 'token1':
        return pool?.[unit];
      case 'asset':
        return asset;
      case 'native':
        return NATIVE_ASSET;
      default:
        return tokenIn(args, unit, at);
    }
  }
}

/** The elements of an array at a position of one argument. */
const elementsOf = (leaves: readonly Leaf[], prefix: string): Leaf[] =>
  leaves.filter(({ position }) =>
    prefix === '' ? /^\d+$/.test(position) : new RegExp(`^${prefix}\\.\\d+$`).test(position),
  );

/** The token that an argument names, by a unit such as `@2.first`. */
function tokenIn(args: Leaves, unit: string, at: number): Address | undefined {
  const [, kind, place = ''] = /^(@|path:)(.*)$/.exec(unit) ?? [];
  const [index = '', ...inside] = place.split('.');
  const leaves = args.of(Number(index));
  const which = inside.at(-1);
  if (kind === 'path:') {
    const packed = leaves.find(({ position }) => position === inside.slice(0, -1).join('.'));
    return packed && tokenInPath(packed.value, which);
  }
  if (which !== 'first' && which !== 'last' && which !== '*') {
    return tokenAt(leaves.find(({ position }) => position === inside.join('.')));
  }
  const elements = elementsOf(leaves, inside.slice(0, -1).join('.'));
  return tokenAt(elements.at(which === 'first' ? 0 : which === 'last' ? -1 : at));
}

const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** The zero address stands for the native asset, as does 0xeeee…. */
function tokenAt(leaf: Leaf | undefined): Address | undefined {
  if (!leaf || !/^0x[0-9a-f]{40}$/.test(leaf.value)) return undefined;
  return leaf.value === NO_ADDRESS ? NATIVE_ASSET : (leaf.value as Address);
}

/** Uniswap V3: token (20 bytes), fee (3 bytes), token, … */
function tokenInPath(path: string, which: string | undefined): Address | undefined {
  if (!/^0x[0-9a-f]{40}(?:[0-9a-f]{46})+$/.test(path)) return undefined;
  return `0x${which === 'first' ? path.slice(2, 42) : path.slice(-40)}`;
}

type Meaning = Omit<Reading, 'path'>;

function amountOf(
  text: string,
  asset: Address,
  facts: TokenFacts | undefined,
): Meaning | undefined {
  const { decimals, symbol } = facts ?? {};
  if (decimals === undefined || decimals > MAX_DECIMALS) return undefined;
  const value = BigInt(text);
  if (value === CONTRACT_BALANCE) return undefined;
  const amount = LARGEST_AMOUNTS.has(value) ? MAX : toDecimal(value, decimals);
  return { asset, ...(symbol !== undefined && { symbol }), amount };
}

function timeOf(text: string): Meaning | undefined {
  const value = BigInt(text);
  if (LARGEST_TIMES.has(value)) return { time: MAX };
  if (value < FIRST_TIME || value >= LAST_TIME) return undefined;
  return { time: new Date(Number(value) * 1_000).toISOString().replace('.000Z', 'Z') };
}
