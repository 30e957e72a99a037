import * as z from 'zod';
import { addressSchema } from './primitives';
import { quotaLimitsSchema } from './quota';
import { CONTRACT_LIMITS } from './schema-limits';

/** Hard forks in anvil's spelling, oldest first. */
export const HARDFORKS = [
  'frontier',
  'homestead',
  'tangerine',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const;
export type Hardfork = (typeof HARDFORKS)[number];

export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
  .meta({ type: 'string', format: 'uri' });

/** URL of a node's JSON-RPC. */
export const endpointUrl = z
  .url({
    protocol: /^(https?|wss?)$/,
    error: 'an http:// or https:// URL, or a ws:// or wss:// URL',
  })
  .meta({ type: 'string', format: 'uri' });

/** Headers that the service sets itself (RFC 9110, RFC 6455). */
const OWN_HEADERS =
  /^(host|connection|upgrade|content-.*|transfer-encoding|accept-encoding|sec-websocket-.*)$/i;

/** Headers for an endpoint, such as `Authorization`. Values may be keys: never log or send them elsewhere. */
export const endpointHeadersSchema = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/)
      .refine((name) => !OWN_HEADERS.test(name)),
    z.string().regex(/^[\x20-\x7e]{1,8192}$/),
  )
  .refine((headers) => Object.keys(headers).length <= 16);

/** Address of a syslog server; the port is 514 by default. */
const syslogUrl = z
  .string()
  .refine(isSyslogUrl, {
    error: 'udp://host:port, tcp://host:port or unix:///path of a stream socket',
  })
  .meta({ format: 'uri' });

function isSyslogUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(text);
  if (username + password + search + hash !== '') return false;
  if (protocol === 'unix:') return hostname === '' && pathname.length > 1;
  return /^(udp|tcp):$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname);
}

/** A URL, or a URL with headers. */
const rpcEndpointSchema = z.union(
  [endpointUrl, z.strictObject({ url: endpointUrl, headers: endpointHeadersSchema.optional() })],
  {
    error:
      'an http:// or https:// URL, a ws:// or wss:// URL, or an object with "url" and "headers" (up to 16, of visible ASCII characters)',
  },
);

export const slugSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, {
  error: 'lower-case letters, digits, dots and hyphens',
});

export const chainSchema = z.strictObject({
  slug: slugSchema,
  chainId: z.int().positive(),
  name: z.string().min(1).optional(),
  rpcUrls: z.array(rpcEndpointSchema).min(1, { error: 'at least one URL' }),
  nativeSymbol: z.string().min(1).default('ETH'),
  wrappedNative: addressSchema.optional(),
  blockExplorerUrl: httpUrl.optional(),
  hardfork: z.enum(HARDFORKS).optional(),
});

/** An IP address, or a network in CIDR notation. */
export const proxySchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'an IP address or a network in CIDR notation, such as 10.0.0.0/8',
});

export const metricsTokenSchema = z.string().regex(/^[\x21-\x7e]{16,256}$/, {
  error: '16-256 visible ASCII characters',
});

/** The config file (decisions, "How the service is run"). Unknown fields are rejected, so that a typo does not pass unnoticed. */
export const configSchema = z.strictObject({
  chains: z.array(chainSchema).default([]),
  abi: z
    .strictObject({
      artifacts: z.array(z.string()).default(['./out', './artifacts']),
      sourcify: z
        .strictObject({ enabled: z.boolean().default(true), url: httpUrl.optional() })
        .prefault({}),
      etherscan: z
        .strictObject({ apiKey: z.string().optional(), url: httpUrl.optional() })
        .prefault({}),
      blockscout: z.strictObject({ urls: z.record(slugSchema, httpUrl).default({}) }).prefault({}),
      signatures: z
        .strictObject({ enabled: z.boolean().default(true), url: httpUrl.optional() })
        .prefault({}),
    })
    .prefault({}),
  prices: z
    .strictObject({
      source: z.enum(['chainlink', 'defillama', 'none']).default('chainlink'),
      url: httpUrl.optional(),
    })
    .prefault({}),
  engine: z
    .strictObject({
      anvilPath: z.string().min(1).optional(),
      maxRunning: z.int().min(1).default(CONTRACT_LIMITS.runningEngines),
      memoryMegabytes: z.number().min(64).default(CONTRACT_LIMITS.engineMemory),
      idleMinutes: z.number().positive().default(CONTRACT_LIMITS.idleEngine),
      maxWaiting: z.int().min(1).default(CONTRACT_LIMITS.waitingForks),
      maxWaitSeconds: z.number().positive().default(CONTRACT_LIMITS.waitForEngine),
    })
    .prefault({}),
  /** Cache for chain data that never changes, in the data directory. 0: in memory only. */
  cache: z
    .strictObject({ maxMegabytes: z.number().min(0).default(CONTRACT_LIMITS.cacheOnDisk) })
    .prefault({}),
  /** Proxies whose X-Forwarded-* headers count. */
  trustedProxies: z.array(proxySchema).default([]),
  /** The secret that monitoring systems send. Without one, only programs on this machine read the metrics. */
  metrics: z.strictObject({ token: metricsTokenSchema.optional() }).prefault({}),
  /** Copies of the audit log: a file of JSON lines, and a syslog server (RFC 5424). */
  audit: z
    .strictObject({ file: z.string().min(1).optional(), syslog: syslogUrl.optional() })
    .prefault({}),
  /** Labels of addresses on all chains. */
  labels: z.record(addressSchema, z.string().min(1).max(64)).default({}),
  limits: z
    .strictObject({
      quotas: z
        .strictObject({
          user: quotaLimitsSchema.prefault({}),
          project: quotaLimitsSchema.prefault({}),
        })
        .prefault({}),
      projectsPerUser: z.int().min(1).default(CONTRACT_LIMITS.projectsPerUser),
      requestsPerMinute: z.int().min(1).optional(),
      rpcCallsPerMinute: z.int().min(1).optional(),
      connections: z.int().min(1).optional(),
      connectionMegabytes: z.number().positive().optional(),
      forkMegabytes: z.number().positive().optional(),
      serviceMegabytes: z.number().positive().optional(),
      readerSeconds: z.number().positive().max(86_400).optional(),
      forkJournalMegabytes: z.number().positive().default(CONTRACT_LIMITS.forkJournal),
      forkJournalEntries: z.int().min(1).default(CONTRACT_LIMITS.forkJournalEntries),
    })
    .prefault({}),
});

/** One configured chain. `rpcUrls` and their headers may contain provider keys: never log or send them. */
export type Chain = z.infer<typeof chainSchema>;
export type Config = z.infer<typeof configSchema>;

/** The public facts about a chain: all of its configuration except the endpoints. */
export const publicChainSchema = z.object({
  slug: z.string().meta({ description: 'Names the chain in paths and bodies' }),
  chainId: z.int().meta({ description: 'Several chains may share one' }),
  name: z.string().meta({ description: 'For people' }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset' }),
  blockExplorerUrl: z.string().optional().meta({ description: 'Where the chain has one' }),
  hasOwnEndpoint: z.literal(true).optional().meta({
    description: 'An endpoint was configured or added; left out: public endpoints only',
  }),
});
export type PublicChain = z.infer<typeof publicChainSchema>;
