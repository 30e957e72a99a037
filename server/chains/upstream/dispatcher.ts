import { Agent, type Dispatcher } from 'undici';
import { LIMITS } from '../../api/limits';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { connectBy } from '../../kernel/streams/connect-by';
import { proxyOfEnvironment } from '../../kernel/streams/environment-proxy';

/**
 * Connections to endpoints, through the proxies of the environment.
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
  return proxyOfEnvironment(options) ?? new Agent(options);
}
