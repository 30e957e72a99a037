import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** After this time, most of the code that a start needs is compiled. Milliseconds. */
const CACHE_WRITE_DELAY_MS = 5_000;
/** A shorter run, such as `--version`, compiles too little to be worth caching. Seconds. */
const SHORT_RUN_S = 1;
const HASH_BYTES = 32;

/**
 * Runs a CommonJS bundle with the code that V8 compiled in an earlier run. The cache is a file beside the bundle, one for each runtime, and
 * is valid only for exactly the same source. If the folder is not writable, every run compiles.
 * NODE_DISABLE_COMPILE_CACHE=1, a variable of Node 22, also switches this cache off.
 * @returns whether cached code was used
 */
export function runCached(
  file: string,
  writeDelayMs = CACHE_WRITE_DELAY_MS,
): { isCompiled: boolean } {
  const source = readFileSync(file);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source.toString()}\n})`;
  const cache = isDisabled() ? undefined : new CodeFile(cacheFileOf(file), sha256(source));
  const cachedData = cache?.read();
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true;
  if (cache && !isCompiled) writeCacheLater(script, cache, writeDelayMs);
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

/** V8 compiles functions when they are first called, so a cache written some time after the start contains more code. */
function writeCacheLater(script: Script, cache: CodeFile, afterMs: number): void {
  let isWritten = false;
  const writeOnce = (): void => {
    if (!isWritten) cache.write(() => script.createCachedData());
    isWritten = true;
  };
  setTimeout(writeOnce, afterMs).unref();
  process.once('exit', () => {
    if (process.uptime() > SHORT_RUN_S) writeOnce();
  });
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

/** Compiled code, preceded by the hashes of its source and of itself. */
class CodeFile {
  constructor(
    private readonly path: string,
    private readonly sourceHash: Buffer,
  ) {}

  /** @returns undefined if there is no code for this source, or if it is damaged */
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

  /** Writes atomically, because another service may read the file at the same time. */
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
