import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { EndpointAddress } from '../../chains/upstream/transport';
import type { EndpointName } from '../../chains/lock/lock';
import { UsageError } from '../errors/usage-error';

/** Far more than forge needs for its answer. */
const TIMEOUT_MS = 120_000;
export const ENDPOINT_URL = /^(https?|wss?):\/\/\S+$/i;
/** Names that a lockfile can hold. */
const NAME = /^[\w.-]{1,128}$/;

const configSchema = z.object({
  fuzz: z.object({ seed: z.unknown() }).catch({ seed: null }),
  eth_rpc_url: z.string().nullish(),
  rpc_endpoints: z
    .record(
      z.string(),
      z.union([z.string(), z.object({ endpoint: z.string(), auth: z.string().nullish() })]),
    )
    .catch({}),
});

/** What forge takes from foundry.toml. */
export interface FoundrySettings {
  endpoints: { name: EndpointName; urls: readonly (string | EndpointAddress)[] }[];
  /** Whether fuzz and invariant tests have a seed. */
  hasSeed: boolean;
}

/**
 * @param needsNamesOnly forge is not asked where the names of endpoints are plain to see, which saves the time of its start
 * @returns undefined without forge or without the file
 * @throws UsageError if forge cannot read the file
 */
export async function foundrySettings(
  folder: string,
  environment: NodeJS.ProcessEnv,
  needsNamesOnly: boolean,
): Promise<FoundrySettings | undefined> {
  const text = await foundryConfig(folder);
  if (text === undefined) return undefined;
  const names = needsNamesOnly ? endpointNames(text) : undefined;
  if (names) {
    const endpoints = names
      .filter((name) => NAME.test(name))
      .map((name) => ({
        name: { kind: 'foundry' as const, name },
        urls: [],
      }));
    return { endpoints, hasSeed: true };
  }
  const config = await forgeConfig(folder, environment);
  return (
    config && {
      endpoints: endpointsOf(config, environment),
      hasSeed: (config.fuzz.seed ?? null) !== null,
    }
  );
}

function endpointsOf(
  config: z.infer<typeof configSchema>,
  environment: NodeJS.ProcessEnv,
): FoundrySettings['endpoints'] {
  const named = Object.entries(config.rpc_endpoints).filter(([name]) => NAME.test(name));
  const found = named.map(([name, endpoint]) => {
    const given = typeof endpoint === 'string' ? { endpoint, auth: undefined } : endpoint;
    const url = filled(given.endpoint, environment);
    const auth = filled(given.auth ?? '', environment);
    const address = auth === '' ? url : { url, headers: { authorization: auth } };
    return {
      name: { kind: 'foundry' as const, name },
      urls: ENDPOINT_URL.test(url) ? [address] : [],
    };
  });
  const url = filled(config.eth_rpc_url ?? '', environment);
  const single = { kind: 'variable' as const, name: 'FOUNDRY_ETH_RPC_URL' };
  return ENDPOINT_URL.test(url) ? [...found, { name: single, urls: [url] }] : found;
}

/** `${NAME}` by the value of the variable, as forge replaces it; empty if one is not set. */
function filled(text: string, environment: NodeJS.ProcessEnv): string {
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => (environment[name] ?? '') === '')) return '';
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => environment[name] ?? '');
}

async function forgeConfig(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<z.infer<typeof configSchema> | undefined> {
  try {
    const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)('forge', ['config', '--json'], options);
    return configSchema.parse(JSON.parse(stdout));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // The message of forge quotes the file, whose URLs may contain keys.
    throw new UsageError('the endpoints of foundry.toml are not known: forge config fails');
  }
}

/** The text of foundry.toml, which forge finds in folders above as well. */
async function foundryConfig(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'foundry.toml'), 'utf8').catch(() => undefined);
  if (text !== undefined || dirname(folder) === folder) return text;
  return foundryConfig(dirname(folder));
}

const TABLE = /^\s*\[\s*(?:profile\.[^\]]+\.)?rpc_endpoints\s*\]\s*(?:#.*)?$/;
const KEY = /^\s*(?:"([^"\\]+)"|'([^']+)'|([\w-]+))\s*=/;
/** Forms in which a line does not tell the names. */
const OTHER = /rpc_endpoints|eth_rpc_url|\bextends\b|"""|'''/;

/** The names in tables `[rpc_endpoints]`; undefined: the file has endpoints in another form as well. */
export function endpointNames(text: string): string[] | undefined {
  const names: string[] = [];
  let isInside = false;
  for (const line of text.split('\n').filter((one) => !/^\s*(#|$)/.test(one))) {
    if (TABLE.test(line)) isInside = true;
    else if (OTHER.test(line)) return undefined;
    else if (/^\s*\[/.test(line)) isInside = false;
    else if (isInside) {
      const [, double, single, bare] = KEY.exec(line) ?? [];
      const name = double ?? single ?? bare;
      if (name === undefined) return undefined;
      names.push(name);
    }
  }
  return names;
}
