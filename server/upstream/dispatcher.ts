import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { LIMITS } from '../api/limits';
import type { OpenConnection } from '../ethereum/engine';
import { connectBy } from '../streams/connect-by';

/** Hosts of this machine, which a proxy cannot reach. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Connections to endpoints, through the proxies of the environment: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, also in lower case.
 * @param connections for each endpoint
 * @param connect opens connections to endpoints that this machine's network does not reach
 */
export function dispatcherFor(
  connections: number,
  connect: OpenConnection | undefined,
): Dispatcher {
  const options = {
    connections,
    // The caller sets deadlines: undici's own 300 s limits would interrupt a long trace.
    headersTimeout: 0,
    bodyTimeout: 0,
    webSocket: { maxPayloadSize: LIMITS.answer },
  };
  if (connect) return new Agent({ ...options, ...connectBy(connect) });
  const { env } = process;
  const isProxied = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(
    (name) => (env[name] ?? '') !== '',
  );
  if (!isProxied) return new Agent(options);
  const excluded = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[,\s]+/).filter(Boolean);
  return new EnvHttpProxyAgent({
    ...options,
    noProxy: [...excluded, ...LOCAL].join(','),
    factory: (origin, given) => new Pool(origin, failingOnce(given)),
  });
}

/** undici 7 opens a tunnel again without end if the proxy closes the connection: any other code of the error fails the request. */
function failingOnce(options: object): Pool.Options {
  const { connect, ...rest } = options as Pool.Options;
  if (typeof connect !== 'function') return options;
  return {
    ...rest,
    connect: (target, callback) => {
      connect(target, (...[error, socket]) => {
        if (error) callback(new Error('the proxy closed the connection', { cause: error }), null);
        else callback(null, socket);
      });
    },
  };
}
