// Entry of the process that runs a compiler: one job, and the end. Nothing but the compiler's own code is loaded, and it is given no way to
// read files: what the input lacks is not found.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { CPU_SIGNAL } from './cpu-signal';
import type { Retry, SolcAnswer, SolcCode, SolcJob, SolcOutput } from './solc-job';

/** The part of a package's `soljson.js` that is used (Emscripten). */
interface SolJson {
  cwrap(name: string, result: 'string', parameters: 'number'[]): Wrapped;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  /** Since 0.6; before, `_malloc`. */
  _solidity_alloc?(bytes: number): number;
  _malloc(bytes: number): number;
  _solidity_version?: unknown;
  _solidity_compile?: unknown;
}
type Wrapped = (...values: number[]) => string;

interface RawCode {
  object?: string;
  sourceMap?: string;
  linkReferences?: Record<string, Record<string, SolcCode['links']>>;
  immutableReferences?: Record<string, SolcCode['links']>;
}
interface RawContract {
  evm?: { bytecode?: RawCode; deployedBytecode?: RawCode };
  storageLayout?: unknown;
  transientStorageLayout?: unknown;
}
interface RawOutput {
  errors?: { severity?: string; type?: string; formattedMessage?: string; message?: string }[];
  contracts?: Record<string, Record<string, RawContract>>;
  sources?: Record<string, { id?: number; ast?: unknown }>;
}

/** Parts of a syntax tree that nobody reads, and that are large. */
const UNREAD = new Set(['documentation', 'argumentTypes', 'exportedSymbols']);
const STDOUT = 1;

process.once('message', (job: SolcJob) => {
  endAt(job.cpuMs);
  // Compilers before 0.5 write there.
  Object.assign(console, { log: () => undefined });
  const bytes = Buffer.from(
    JSON.stringify(answerTo(job), (key, value: unknown) => (UNREAD.has(key) ? undefined : value)),
  );
  for (let at = 0; at < bytes.length;) at += written(bytes, at);
  process.exit(0);
});

/**
 * Ends this process after a processor time. The compiler never pauses, so that another thread watches it; the process that waits knows the
 * signal, and has a limit of its own where the system lacks it.
 */
function endAt(cpuMs: number): void {
  if (process.platform === 'win32') return;
  const watch = `
    const { workerData: cpuMs } = require('node:worker_threads');
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      if ((user + system) / 1000 > cpuMs) process.kill(process.pid, '${CPU_SIGNAL}');
    }, Math.min(cpuMs / 4, 250));`;
  new Worker(watch, { eval: true, workerData: cpuMs }).unref();
}

function answerTo({ soljson, version, input }: SolcJob): SolcAnswer {
  let retry: Retry = 'soon';
  try {
    const compiler = createRequire(__filename)(soljson) as SolJson;
    const own = compiler.cwrap(
      compiler._solidity_version ? 'solidity_version' : 'version',
      'string',
      [],
    )();
    if (!own.startsWith(`${version}.`)) {
      const failure = `is ${own.replace(/\.Emscripten.*$/, '')}, and the contract was compiled by ${version}`;
      return { failure, retry };
    }
    retry = 'restart';
    return read(JSON.parse(compile(compiler, input)) as RawOutput);
  } catch (error) {
    return { failure: `failed: ${String(error)}`, retry };
  }
}

/** 0 stands for no callback: the compiler refuses imports that the input lacks. */
function compile(compiler: SolJson, input: string): string {
  const name = compiler._solidity_compile ? 'solidity_compile' : 'compileStandard';
  // Emscripten would put the text on its small stack.
  const bytes = compiler.lengthBytesUTF8(input) + 1;
  const pointer = compiler._solidity_alloc?.(bytes) ?? compiler._malloc(bytes);
  compiler.stringToUTF8(input, pointer, bytes);
  return compiler.cwrap(name, 'string', ['number', 'number', 'number'])(pointer, 0, 0);
}

function read({ errors = [], contracts = {}, sources = {} }: RawOutput): SolcAnswer {
  const error = errors.find(({ severity }) => severity === 'error');
  if (error) {
    const text = error.formattedMessage ?? error.message ?? 'an error without a message';
    // Such as a lack of memory.
    const isOwn = error.type === 'Exception' || error.type === 'InternalCompilerError';
    return isOwn
      ? { failure: `failed: ${text}`, retry: 'restart' }
      : { failure: `does not compile them: ${text}`, retry: 'never' };
  }
  const output: SolcOutput = {
    contracts: Object.entries(contracts).flatMap(([file, named]) =>
      Object.entries(named).map(([name, { evm, storageLayout, transientStorageLayout }]) => ({
        file,
        name,
        storageLayout,
        transientStorageLayout,
        deployed: codeOf(evm?.deployedBytecode),
        creation: codeOf(evm?.bytecode),
      })),
    ),
    files: Object.entries(sources).map(([name, { id = 0, ast }]) => ({ name, id, ast })),
  };
  return { output };
}

function codeOf(code: RawCode = {}): SolcCode {
  const { object = '', sourceMap = '', linkReferences = {}, immutableReferences } = code;
  const links = Object.values(linkReferences).flatMap((file) => Object.values(file).flat());
  return { object, sourceMap, links, ...(immutableReferences && { immutableReferences }) };
}

/** Writes some bytes; none while the pipe is full. */
function written(bytes: Buffer, at: number): number {
  try {
    return writeSync(STDOUT, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}
