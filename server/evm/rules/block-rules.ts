import type { Hardfork } from '../../api/config';
import { ApiError } from '../../api/errors';
import { HARDFORKS } from '../../api/config';
import type { RpcBlockHeader } from '../forms/types';
import type { Activation, ChainRules, Start } from '../families/definition/chain-family';
import { knownChain } from '../families/known-chains';
import { blobSchedule, type BlobRules } from './blob-price';
import { arbosRules } from '../families/arbitrum/arbos';
import { isSince, type ExecutedHardfork, type LaterHardfork } from '../forms/hardfork-order';
import { headerFields, type HeaderFields } from './header-fields';
import type { NodeFork, NodeSchedule } from './node-schedule';
import { P256_VERIFY } from './precompiles';

/** A chain whose blocks are executed. */
export interface RuledChain {
  /** Slug of the chain, or id of the fork. */
  readonly key: string;
  readonly chainId: number;
  /** The hardfork of every block, as configured. */
  readonly hardfork?: Hardfork | undefined;
  /** The hardfork that a request names. It replaces the hardfork of the block. */
  readonly named?: Hardfork | undefined;
}

/** The rules under which a block is executed, and how certain they are. */
export interface BlockRules extends BlobRules {
  /** The hardfork that an engine executes for them. */
  readonly hardfork: Hardfork;
  /** Addresses of precompiled contracts that the chain has besides those of the hardfork, in lower case. */
  readonly extraPrecompiles: readonly string[];
  /** What is assumed or contradicts, one sentence each. */
  readonly warnings: readonly string[];
  /** Whether nothing but the newest known rules suggests the hardfork. */
  readonly isGuess: boolean;
  /** The hardfork of the block, if no engine executes it but the executor in this process. Then `hardfork` is the newest of an engine. */
  readonly later?: LaterHardfork;
  /** Why no engine can execute the block; undefined if one can. */
  readonly refusal?: string;
}

const NEWEST = HARDFORKS[HARDFORKS.length - 1] ?? 'osaka';

/**
 * The rules of a block: the chain's as configured, as its node schedules them, as its header states them, or by the activation table; at
 * least the hardfork that the header proves.
 * @param block its header, with the fields as the node returned them
 * @param schedule answer of the chain's node to `eth_config`
 */
export function blockRules(
  chain: RuledChain,
  block: RpcBlockHeader,
  schedule?: NodeSchedule,
): BlockRules {
  const fields = headerFields(block);
  const source = sourceOf(chain, block, schedule);
  const warnings = [...source.warnings];
  let { hardfork } = source;
  const place = `block ${Number(block.number)} of ${chain.key}`;
  if (fields.proved !== undefined && !isSince(hardfork, fields.proved)) {
    if (source.isContradicted) {
      warnings.push(`the header of ${place} proves ${fields.proved} instead of ${hardfork}`);
    }
    hardfork = fields.proved;
  }
  const unknown = fields.unknown.length === 0 ? undefined : unknownFields(place, fields);
  const isConfigured = chain.hardfork !== undefined;
  if (unknown !== undefined && isConfigured) warnings.push(`${unknown}: ${hardfork} is assumed`);
  const refusal =
    (fields.later && refusalOf(place, fields.later)) ??
    (unknown === undefined || isConfigured ? undefined : `${unknown}: ${TO_NAME}`);
  const { blobFraction, hasP256, isGuess = false } = source;
  const later = executedLater(chain.chainId, fields);
  const rules: BlockRules = {
    chainId: chain.chainId,
    hardfork,
    ...(blobFraction === undefined ? {} : { blobFraction }),
    extraPrecompiles: hasP256 && !isSince(hardfork, 'osaka') ? [P256_VERIFY] : [],
    warnings,
    isGuess,
    ...(later && { later }),
    ...(refusal !== undefined && { refusal }),
  };
  return chain.named === undefined ? rules : named(rules, chain.named, place);
}

/** How to have a block executed whose rules are not known. */
const TO_NAME =
  'name the hardfork in "rules" of a fork or simulation, or in "hardfork" of the chain\'s configuration; accepted: ' +
  HARDFORKS.join(', ');

/** The rules that a request names, with what differs from those of the block. */
function named(
  { later, refusal, ...rules }: BlockRules,
  hardfork: Hardfork,
  place: string,
): BlockRules {
  const own = later ?? rules.hardfork;
  const warnings = [...rules.warnings];
  if (own !== hardfork) {
    warnings.push(`${place} follows the rules of ${own}: ${hardfork} is executed, as requested`);
  } else if (refusal !== undefined) {
    warnings.push(`the rules of ${place} are not known: ${hardfork} is executed, as requested`);
  }
  if (later !== undefined) warnings.push(WITHOUT_AMSTERDAM);
  return { ...rules, hardfork, warnings, isGuess: false };
}

/** What executions by older rules lack. */
const WITHOUT_AMSTERDAM =
  'without Amsterdam, gas is that of older rules (EIP-2780, 7976, 7981, 8037, 8038), transfers of ether have no logs (EIP-7708), ' +
  'self-destructions can burn ether (EIP-8246), code has at most 24,576 bytes (EIP-7954), and SLOTNUM, DUPN, SWAPN and EXCHANGE fail';

/** Chains with rules of their own do not follow Ethereum's hardforks as they are, and a header without a slot is not one of Amsterdam. */
const executedLater = (chainId: number, { later }: HeaderFields): LaterHardfork | undefined =>
  knownChain(chainId).rules?.isOwn === true || later?.fields.includes('slotNumber') !== true
    ? undefined
    : later.hardfork;

/** @throws ApiError `rulesUnsupported` if no engine can execute the block */
export function requireExecutable(rules: BlockRules): BlockRules {
  if (rules.refusal !== undefined) throw new ApiError('rulesUnsupported', rules.refusal);
  return rules;
}

/** The same for the executor in this process as well. @throws ApiError `rulesUnsupported` if nothing executes the block */
export const requireExecuted = (rules: BlockRules): BlockRules =>
  rules.later === undefined ? requireExecutable(rules) : rules;

/** The hardfork whose rules the second executor uses for a block. */
export const executedHardfork = ({ later, hardfork }: BlockRules): ExecutedHardfork =>
  later ?? hardfork;

interface Source {
  hardfork: Hardfork;
  warnings: readonly string[];
  hasP256: boolean;
  blobFraction?: bigint;
  isGuess?: boolean;
  /** Whether a header that proves a newer hardfork contradicts it. */
  isContradicted?: boolean;
}

function sourceOf(
  chain: RuledChain,
  block: RpcBlockHeader,
  schedule: NodeSchedule | undefined,
): Source {
  const time = { number: Number(block.number), timestamp: Number(block.timestamp) };
  const entry = knownChain(chain.chainId).rules;
  const hasP256 = entry?.p256 !== undefined && hasStarted(entry.p256, time);
  if (chain.hardfork !== undefined) {
    return { hardfork: chain.hardfork, warnings: [], hasP256, isContradicted: true };
  }
  const arbos = arbosRules(chain.chainId, block);
  if (arbos) {
    const { hardfork, warning } = arbos;
    return {
      hardfork,
      warnings: warning === undefined ? [] : [`${warning} for block ${time.number}`],
      hasP256: arbos.hasP256,
    };
  }
  const tabled = entry && byTable(chain, entry, time);
  const fork = entry?.isOwn
    ? undefined
    : scheduledFork(schedule, entry !== undefined, time.timestamp);
  if (fork) return { ...bySchedule(chain, time, fork, entry, tabled?.hardfork), hasP256 };
  if (tabled) return { ...tabled, hasP256, isContradicted: true };
  return {
    hardfork: NEWEST,
    warnings: [
      `the rules of chain ${chain.key} (id ${chain.chainId}) are not known: ${NEWEST} is assumed; set "hardfork" in its configuration for another`,
    ],
    hasP256,
    isGuess: true,
  };
}

interface Time {
  number: number;
  timestamp: number;
}

const dayOf = (timestamp: number): string =>
  new Date(Math.min(timestamp * 1_000, 8.64e15)).toISOString().slice(0, 10);

/** Whether the entry was compared with its sources on the day of the block or later. */
const isChecked = ({ checked }: ChainRules, { timestamp }: Time): boolean =>
  timestamp < Date.parse(checked) / 1_000 + 86_400;

const hasStarted = (
  start: Start,
  { number, timestamp }: { number: number; timestamp: number },
): boolean => ('block' in start ? number >= start.block : timestamp >= start.time);

const activeOf = ({ activations }: ChainRules, time: Time): Activation | undefined =>
  activations.findLast(({ start }) => hasStarted(start, time));

function byTable(
  { key }: RuledChain,
  entry: ChainRules,
  time: Time,
): Pick<Source, 'hardfork' | 'warnings'> {
  const active = activeOf(entry, time);
  const { hardfork, warning } = executable(key, active, time);
  const warnings = warning === undefined ? [] : [warning];
  if (active?.note !== undefined) warnings.push(`${key}: ${active.note}`);
  if (!isChecked(entry, time)) {
    warnings.push(
      `the rules of chain ${key} are unchecked since ${entry.checked}: ${hardfork} is assumed for block ${time.number} of ${dayOf(time.timestamp)}`,
    );
  }
  return { hardfork, warnings };
}

/** A block without the fields of a later hardfork is executed under the last one of an engine. */
function executable(
  key: string,
  active: Activation | undefined,
  { number }: Time,
): { hardfork: Hardfork; warning?: string } {
  const hardfork = active?.hardfork ?? 'frontier';
  if (hardfork !== 'amsterdam') return { hardfork };
  return {
    hardfork: NEWEST,
    warning: `the activation table says Amsterdam for block ${number} of ${key}, and the header lacks blockAccessListHash: ${NEWEST} is assumed`,
  };
}

/** The fork of a schedule that is active in a block; undefined for a block before the first one. */
function scheduledFork(
  schedule: NodeSchedule | undefined,
  isTabled: boolean,
  timestamp: number,
): NodeFork | undefined {
  // A local node states its own rules for every block, those of a forked chain as well.
  if (!schedule || (schedule.isLocal && isTabled)) return undefined;
  return schedule.forks.findLast(({ activation }) => activation <= timestamp);
}

function bySchedule(
  { key, chainId }: RuledChain,
  time: Time,
  fork: NodeFork,
  entry: ChainRules | undefined,
  tabled: Hardfork | undefined,
): Pick<Source, 'hardfork' | 'warnings' | 'blobFraction'> {
  const since = dayOf(fork.activation);
  const same = entry?.activations.find(
    ({ start }) => 'time' in start && start.time === fork.activation,
  );
  // Before Cancun, `eth_config` shows no difference between hardforks.
  const named = same && executable(key, same, time);
  const hardfork = named?.hardfork ?? fork.hardfork ?? tabled ?? 'shanghai';
  const warnings = named?.warning === undefined ? [] : [named.warning];
  if (fork.unknown.length > 0) {
    warnings.push(
      `eth_config of ${key} lists contracts that this version does not know (${fork.unknown.join(', ')}): ${hardfork} is assumed for block ${time.number}, under rules of ${since}`,
    );
  }
  const { blobFraction } = fork;
  if (entry && tabled !== undefined && isChecked(entry, time)) {
    if (hardfork !== tabled) {
      warnings.push(
        `eth_config of ${key} says ${hardfork} since ${since}, and the activation table says ${tabled} for block ${time.number}: ${hardfork} is used`,
      );
    }
    const known = blobSchedule({ chainId, hardfork }, time.timestamp).fraction;
    if (hardfork === tabled && blobFraction !== undefined && blobFraction !== known) {
      warnings.push(
        `eth_config of ${key} says a blob base fee update fraction of ${blobFraction} since ${since}, and the activation table says ${known} for block ${time.number}: ${blobFraction} is used`,
      );
    }
  } else if (entry && !same && isLater(entry, fork) && hasKnownBlobs(chainId, fork, hardfork)) {
    warnings.push(
      `eth_config of ${key} lists a hardfork of ${since}, and the rules of the chain are unchecked since ${entry.checked}: ${hardfork} is assumed for block ${time.number}`,
    );
  }
  return { hardfork, warnings, ...(blobFraction === undefined ? {} : { blobFraction }) };
}

const isLater = ({ checked }: ChainRules, { activation }: NodeFork): boolean =>
  activation >= Date.parse(checked) / 1_000 + 86_400;

/** A fork that changes neither contracts nor blobs has rules that `eth_config` does not show. */
const hasKnownBlobs = (
  chainId: number,
  { blobFraction, activation }: NodeFork,
  hardfork: Hardfork,
): boolean => blobFraction === blobSchedule({ chainId, hardfork }, activation).fraction;

const unknownFields = (place: string, { unknown }: HeaderFields): string =>
  `the header of ${place} has fields that this version does not know (${unknown.join(', ')})`;

const refusalOf = (place: string, { fields }: NonNullable<HeaderFields['later']>): string =>
  `${place} follows the rules of Amsterdam, which no engine of this version executes: its header has ${fields.join(' and ')}`;
