import { endpointOfKey } from '../../chains/lock/lock';
import type { Endpoint } from './find-endpoints';

const LOOPBACK = '127.0.0.1';

/**
 * The environment of a program whose endpoints are replaced.
 * @param urls addresses by `keyOfEndpoint`
 */
export function programEnvironment(urls: ReadonlyMap<string, string>): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  const foundry: string[] = [];
  for (const [key, url] of urls) {
    const { kind, name } = endpointOfKey(key);
    if (kind === 'variable') environment[name] = url;
    else foundry.push(`${JSON.stringify(name)}=${JSON.stringify(url)}`);
  }
  if (foundry.length > 0) environment['FOUNDRY_RPC_ENDPOINTS'] = `{${foundry.join(',')}}`;
  // What Foundry has kept of earlier runs would not be recorded.
  environment['FOUNDRY_NO_STORAGE_CACHING'] = 'true';
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const before = environment[name] ?? '';
    environment[name] = before === '' ? LOOPBACK : `${before},${LOOPBACK}`;
  }
  // The outputs are no terminal for the program.
  if (process.stdout.isTTY && environment['NO_COLOR'] === undefined) {
    environment['FORCE_COLOR'] ??= '1';
    environment['CLICOLOR_FORCE'] ??= '1';
  }
  return environment;
}

/** The words of a program, with addresses of Forklens for the URLs that its shell put in place of variables. */
export function withoutUrls(
  program: readonly string[],
  endpoints: ReadonlyMap<string, Endpoint>,
  urls: ReadonlyMap<string, string>,
): string[] {
  const served = new Map<string, string>();
  for (const [key, { urls: given }] of endpoints) {
    const url = urls.get(key);
    for (const one of given) {
      const text = typeof one === 'string' ? one : one.url;
      if (url !== undefined && !served.has(text)) served.set(text, url);
    }
  }
  return program.map((word) => {
    const [, option = '', value = word] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
    const url = served.get(value);
    return url === undefined ? word : option + url;
  });
}
