import { EnvHttpProxyAgent, fetch as undiciFetch, Pool, type Dispatcher } from 'undici';

/** Hosts of this machine, which a proxy cannot reach. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Connections through the proxies of the environment: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, also in lower case.
 * @returns undefined where the environment names no proxy
 */
export function proxyOfEnvironment(
  options: EnvHttpProxyAgent.Options = {},
): Dispatcher | undefined {
  const { env } = process;
  const isProxied = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(
    (name) => (env[name] ?? '') !== '',
  );
  if (!isProxied) return undefined;
  const excluded = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[,\s]+/).filter(Boolean);
  return new EnvHttpProxyAgent({
    ...options,
    noProxy: [...excluded, ...LOCAL].join(','),
    factory: (origin, given) => new Pool(origin, failingOnce(given)),
  });
}

/** `fetch` through the proxies of the environment. That of Node knows none, and takes no connections of another undici. */
export function proxiedFetch(): typeof fetch {
  const dispatcher = proxyOfEnvironment();
  if (!dispatcher) return (...asked) => fetch(...asked);
  // The types of undici's own answers differ in name only.
  const through = undiciFetch as unknown as (
    input: Parameters<typeof fetch>[0],
    init: object,
  ) => Promise<Response>;
  return (input, init) => through(input, { ...init, dispatcher });
}

/** undici 7 opens a tunnel again without end if the proxy closes the connection: any other code of the error fails the request. */
function failingOnce(options: object): Pool.Options {
  const { connect, ...rest } = options as Pool.Options;
  if (typeof connect !== 'function') return options;
  return {
    ...rest,
    connect: (target, callback) => {
      connect(target, (error, socket) => {
        if (error) callback(new Error('the proxy closed the connection', { cause: error }), null);
        else callback(null, socket);
      });
    },
  };
}
