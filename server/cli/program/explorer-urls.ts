import { chainOfPage, hasExplorer } from '../command-specs/explorer-hosts';
import type { Parameters } from '../command-specs/parameter';
import { UsageError } from '../errors/usage-error';
import type { GivenOptions } from './read-input';

/** Paths of Etherscan, Blockscout and others like them. */
const PATH =
  /^\/(?:[\w-]+\/)*(?:(?:tx|transaction)\/(?:[\w-]+\/)?(0x[0-9a-f]{64})|(?:address|token|account|contract)\/(0x[0-9a-f]{40})|blocks?\/(0x[0-9a-f]{64}|\d{1,20}))(?:\/[\w-]*)*$/i;

/** What a URL of an explorer names. */
export interface ExplorerPlace {
  /** Transaction hash, address, or number or hash of a block. */
  readonly value: string;
  readonly host: string;
  /** Short name; undefined if the host is not known. */
  readonly chain: string | undefined;
}

/** Reads a URL such as `https://etherscan.io/tx/0x…`; undefined for other texts. */
export function explorerPlace(text: string): ExplorerPlace | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { hostname, pathname } = url;
  const [, transaction, address, block] = PATH.exec(pathname) ?? [];
  const value = transaction ?? address ?? block;
  return value === undefined ? undefined : { value, host: hostname, chain: chainOfPage(url) };
}

/**
 * Replaces URLs of explorers by what they name. The host of a URL names the chain, if the command takes one and none is given. The
 * arguments of a call stay as they are.
 * @throws UsageError if a URL is of another chain than the given one, or than another URL
 */
export function withoutExplorerUrls(
  parameters: Parameters,
  words: readonly string[],
  options: GivenOptions,
): { words: string[]; options: GivenOptions } {
  const names = Object.keys(parameters);
  const lists = names.findIndex((name) => parameters[name]?.isList);
  const limit = lists < 0 ? words.length : lists;
  const places: ExplorerPlace[] = [];
  const replaced = (text: string): string => {
    const place = explorerPlace(text);
    if (place) places.push(place);
    return place?.value ?? text;
  };
  const values = words.map((word, index) => (index < limit ? replaced(word) : word));
  const entries = Object.entries(options).map(([name, texts]) => [name, texts?.map(replaced)]);
  const [first] = words;
  const hasChain = names[0] === 'chain';
  const isUrl = first !== undefined && explorerPlace(first) !== undefined;
  const given = hasChain && !isUrl && words.length > 1 ? first : undefined;
  const chain = agreed(places, given);
  if (hasChain && isUrl && chain !== undefined) values.unshift(chain);
  return { words: values, options: Object.fromEntries(entries) as GivenOptions };
}

/** @param given may also be a fork, or a chain whose explorers are not known */
function agreed(places: readonly ExplorerPlace[], given: string | undefined): string | undefined {
  let chain = given !== undefined && hasExplorer(given) ? given : undefined;
  for (const { host, chain: shown } of places) {
    if (shown === undefined) continue;
    chain ??= given === undefined ? shown : undefined;
    if (chain !== undefined && chain !== shown) {
      throw new UsageError(
        `${host} shows ${shown}, but the chain is ${JSON.stringify(chain)}; accepted: a URL of an explorer of ${chain}, or no other chain`,
      );
    }
  }
  return chain;
}
