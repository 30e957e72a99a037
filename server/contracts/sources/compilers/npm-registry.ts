import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { timeoutSignal } from '../../../api/timeout-signal';
import { proxiedFetch } from '../../../kernel/streams/environment-proxy';
import { CompilerPackageError } from './compiler-package-error';

const manifestSchema = z.object({
  name: z.literal('solc'),
  version: z.string(),
  dist: z.object({ tarball: z.url({ protocol: /^https?$/ }), integrity: z.string().optional() }),
});

const DEFAULT = 'https://registry.npmjs.org/';
const TIMEOUT_MS = 180_000;
const MAX_MANIFEST = 1024 * 1024;
/** Packages of solc have up to 10 MB. */
const MAX_PACKAGE = 64 * 1024 * 1024;

/**
 * The registry that npm uses: `npm_config_registry` in the environment, else `registry` in the user's `.npmrc`, else that of npm.
 * @throws CompilerPackageError where that is no address
 */
export async function registryUrl(env: NodeJS.ProcessEnv = process.env): Promise<URL> {
  const given = npmSetting(env, 'registry');
  const file = npmSetting(env, 'userconfig');
  const text = given ?? (await configured(file ?? join(homedir(), '.npmrc'))) ?? DEFAULT;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') {
    url.pathname = url.pathname.replace(/\/?$/, '/');
    return url;
  }
  throw new CompilerPackageError('the setting registry of npm is not an http or https address');
}

async function configured(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, value] = /^\s*registry\s*=\s*"?([^"\s]+)"?\s*$/m.exec(text) ?? [];
  return value;
}

/**
 * The package `solc` of a version, whose integrity is that of the registry's metadata.
 * @param version such as `0.8.19`
 * @throws CompilerPackageError with what to do; the signal's reason
 */
export async function fetchCompilerPackage(
  version: string,
  registry: URL,
  signal: AbortSignal,
): Promise<Buffer> {
  const either = AbortSignal.any([signal, timeoutSignal(TIMEOUT_MS)]);
  const manifest = await fetchBytes(new URL(`solc/${version}`, registry), MAX_MANIFEST, either);
  if (manifest === undefined) {
    throw new CompilerPackageError(
      `${registry.host} has no package solc ${version}: npm view solc versions lists them`,
    );
  }
  const { data } = manifestSchema.safeParse(parsed(manifest));
  if (data?.version !== version) {
    throw new CompilerPackageError(`${registry.host} describes solc ${version} in an unknown form`);
  }
  const wanted = /(?:^|\s)sha512-([A-Za-z0-9+/=]+)/.exec(data.dist.integrity ?? '')?.[1];
  if (wanted === undefined) {
    throw new CompilerPackageError(`${registry.host} gives no SHA-512 of solc ${version}`);
  }
  const tarball = await fetchBytes(new URL(data.dist.tarball), MAX_PACKAGE, either);
  if (tarball === undefined) {
    throw new CompilerPackageError(`${registry.host} lacks the files of solc ${version}`);
  }
  if (createHash('sha512').update(tarball).digest('base64') === wanted) return tarball;
  throw new CompilerPackageError(
    `what ${registry.host} sent is not solc ${version}: its SHA-512 is not that of the registry's metadata; nothing was installed`,
  );
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** @returns undefined: it is not there */
async function fetchBytes(
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const answer = await proxiedFetch()(url, { signal });
    if (answer.status === 404) return undefined;
    if (!answer.ok || answer.body === null) {
      throw new CompilerPackageError(`${url.host} answers with status ${answer.status}`);
    }
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > maxBytes) {
        throw new CompilerPackageError(`${url.host} sends more than ${maxBytes} bytes`);
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof CompilerPackageError || signal.reason === error) throw error;
    throw new CompilerPackageError(
      `${url.host} cannot be reached: check the network and the setting registry of npm`,
      { cause: error },
    );
  }
}

/** A setting of npm in the environment; an empty one is none. */
const npmSetting = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const lower = `npm_config_${name}`;
  return [env[lower], env[lower.toUpperCase()]].find((one) => one !== undefined && one !== '');
};
