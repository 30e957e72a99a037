import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** After this time most of what a start needs is compiled. Milliseconds. */
const KEEP_AFTER_MS = 5_000;
/** A shorter run, such as `--version`, has compiled too little to be worth keeping. Seconds. */
const SHORT_RUN_S = 1;
const HASH_BYTES = 32;

/**
 * Runs a CommonJS bundle with the code that V8 compiled in an earlier run. The code is kept in a file beside the bundle, one for each
 * runtime, and is used only with the very same source. Where the folder cannot be written, every run compiles.
 * The variable NODE_DISABLE_COMPILE_CACHE=1, which Node 22 knows as well, switches this off.
 * @returns whether kept code was used
 */
export function runCached(file: string, keepAfterMs = KEEP_AFTER_MS): { isCompiled: boolean } {
  const source = readFileSync(file);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source.toString()}\n})`;
  const cache = isDisabled() ? undefined : new CodeFile(cacheFileOf(file), sha256(source));
  const cachedData = cache?.read();
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true;
  if (cache && !isCompiled) keepLater(script, cache, keepAfterMs);
  const run = script.runInThisContext() as (...globals: unknown[]) => void;
  const module = { exports: {} };
  run(module.exports, createRequire(file), module, file, dirname(file));
  return { isCompiled };
}

const isDisabled = (): boolean => process.env['NODE_DISABLE_COMPILE_CACHE'] === '1';

/** V8 accepts compiled code only under the same version and flags. */
function cacheFileOf(file: string): string {
  const runtime = [process.versions.v8, process.version, process.arch, ...process.execArgv];
  return `${file}.${sha256(Buffer.from(runtime.join(' '))).toString('hex', 0, 6)}.cache`;
}

/** Functions are compiled when they are first called: the code is worth more some time after the start. */
function keepLater(script: Script, cache: CodeFile, afterMs: number): void {
  let isKept = false;
  const keep = (): void => {
    if (!isKept) cache.write(() => script.createCachedData());
    isKept = true;
  };
  setTimeout(keep, afterMs).unref();
  process.once('exit', () => {
    if (process.uptime() > SHORT_RUN_S) keep();
  });
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

/** Compiled code, behind the hashes of its source and of itself. */
class CodeFile {
  constructor(
    private readonly path: string,
    private readonly sourceHash: Buffer,
  ) {}

  /** @returns undefined where there is none of this source, or a damaged one */
  read(): Buffer | undefined {
    let content: Buffer;
    try {
      content = readFileSync(this.path);
    } catch {
      return undefined;
    }
    const code = content.subarray(2 * HASH_BYTES);
    const hashes = Buffer.concat([this.sourceHash, sha256(code)]);
    return hashes.equals(content.subarray(0, 2 * HASH_BYTES)) ? code : undefined;
  }

  /** Atomically: another service may read it now. */
  write(compiled: () => Buffer): void {
    const temporary = `${this.path}.${process.pid}`;
    try {
      accessSync(dirname(this.path), constants.W_OK);
      const code = compiled();
      writeFileSync(temporary, Buffer.concat([this.sourceHash, sha256(code), code]));
      renameSync(temporary, this.path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}
