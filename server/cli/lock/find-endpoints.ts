import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { DEFAULT_CHAINS } from '../../chains/registry/default-chains';
import { loadConfig } from '../../composition/startup/config-file';
import { keyOfEndpoint, type EndpointName } from '../../chains/lock/lock';
import type { EndpointAddress } from '../../chains/upstream/transport';
import { UsageError, wrongValue } from '../errors/usage-error';
import { ENDPOINT_URL, foundrySettings } from './foundry-endpoints';

/** A place where a program finds an endpoint, and the endpoints of the chain, in order of preference. */
export interface Endpoint {
  name: EndpointName;
  urls: readonly (string | EndpointAddress)[];
}

export interface FoundEndpoints {
  /** By `keyOfEndpoint`. */
  endpoints: Map<string, Endpoint>;
  /** Whether forge would choose other inputs for fuzz and invariant tests in each run. */
  needsSeed: boolean;
}

export interface EndpointSearch {
  environment: NodeJS.ProcessEnv;
  folder: string;
  /** `NAME` or `NAME=chain`. */
  given: readonly string[];
  /** Config file with the endpoints of chains. */
  config: string | undefined;
  /** Whether names of endpoints are enough. */
  isFrozen: boolean;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The endpoints that a program may use: variables with RPC in their name and a URL as value, of the environment and of `.env`; given
 * variables; those of foundry.toml; and FORKLENS_RPC_<CHAIN> for each chain of the config file.
 * @throws UsageError
 */
export async function findEndpoints(search: EndpointSearch): Promise<FoundEndpoints> {
  const variables = await variablesOf(search);
  const found = new Map<string, Endpoint>();
  const add = (name: EndpointName, urls: Endpoint['urls']): void => {
    const key = keyOfEndpoint(name);
    if (!found.has(key)) found.set(key, { name, urls });
  };
  const chains = chainsOf(search.config);
  for (const text of search.given) {
    const [name = '', ...rest] = text.split('=');
    const chain = rest.length === 0 ? undefined : rest.join('=');
    if (!VARIABLE.test(name)) {
      throw wrongValue('--rpc', name, 'the name of an environment variable, or NAME=chain');
    }
    const url = variables[name] ?? '';
    if (chain !== undefined) add({ kind: 'variable', name }, urlsOf(chains, chain));
    else add({ kind: 'variable', name }, ENDPOINT_URL.test(url) ? [url] : []);
  }
  for (const [name, url = ''] of Object.entries(variables)) {
    if (/RPC/i.test(name) && ENDPOINT_URL.test(url)) add({ kind: 'variable', name }, [url]);
  }
  const foundry = await foundrySettings(search.folder, variables, search.isFrozen);
  for (const { name, urls } of foundry?.endpoints ?? []) add(name, urls);
  for (const { slug, rpcUrls } of chains) {
    const name = `FORKLENS_RPC_${slug.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
    add({ kind: 'variable', name }, rpcUrls);
  }
  return { endpoints: found, needsSeed: foundry?.hasSeed === false };
}

/** As dotenv, forge and Hardhat read them: those of the environment come before those of the file. */
async function variablesOf({ environment, folder }: EndpointSearch): Promise<NodeJS.ProcessEnv> {
  try {
    return { ...parseEnv(await readFile(join(folder, '.env'), 'utf8')), ...environment };
  } catch {
    return environment;
  }
}

type KnownChain = Pick<(typeof DEFAULT_CHAINS)[number], 'slug' | 'rpcUrls'>;

/** @throws UsageError */
function chainsOf(config: string | undefined): readonly KnownChain[] {
  if (config === undefined) return DEFAULT_CHAINS;
  const { chains } = loadConfig(config);
  const slugs = new Set(chains.map(({ slug }) => slug));
  return [...chains, ...DEFAULT_CHAINS.filter(({ slug }) => !slugs.has(slug))];
}

/** @throws UsageError */
function urlsOf(chains: readonly KnownChain[], slug: string): Endpoint['urls'] {
  const chain = chains.find((one) => one.slug === slug);
  if (chain) return chain.rpcUrls;
  // A URL may contain a key.
  const shown = ENDPOINT_URL.test(slug) ? 'a URL' : JSON.stringify(slug);
  const accepted = chains.map((one) => one.slug).join(', ');
  throw new UsageError(
    `--rpc names ${shown} as chain; accepted: ${accepted}, or another one of the config file (--config)`,
  );
}
