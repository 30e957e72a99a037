import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { LIMITS } from '../../../api/limits';
import { inSlices } from '../../../kernel/async/slices';
import { parseJsonWork } from '../../../kernel/async/parse-json';
import { builtFile } from '../../../kernel/files/built-file';
import { CPU_SIGNAL } from './cpu-signal';
import { solcAnswerSchema, type Retry, type SolcAnswer, type SolcJob } from './solc-job';

/** A command line that ends with this process, and allocates no more memory than is allowed. */
export type Launch = (
  file: string,
  args: readonly string[],
  memoryBytes: number,
) => Promise<{ file: string; args: readonly string[]; stdin: 'pipe' | 'ignore' }>;

export interface CompileOptions {
  readonly launch: Launch;
  /** Of the processor; where that cannot be measured, of the clock. */
  readonly timeMs: number;
  /** Of the clock: a busy machine takes longer. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

const MIB = 1024 * 1024;
const PAGE = 64 * 1024;
/** Half of the memory for the compiler's own, half for the texts and trees in JavaScript. */
const NODE_LIMITS = [
  `--max-old-space-size=${LIMITS.compilerMemory / 2 / MIB}`,
  `--wasm-max-mem-pages=${LIMITS.compilerMemory / 2 / PAGE}`,
];
/** Variables that Node may need, or an editor's runtime that acts as Node (`ELECTRON_RUN_AS_NODE`). */
const FORWARDED = ['ELECTRON_RUN_AS_NODE', 'LD_LIBRARY_PATH', 'PATH'];
/** Descriptor of the channel: 0 to 2 are standard, and 3 belongs to the command that launches. */
const STDIO_AFTER_STDIN = ['pipe', 'ignore', 'ignore', 'ipc'] as const;

/** Compiles in a process of its own, which is killed at each limit. Never rejects. */
export async function compileInProcess(
  job: Omit<SolcJob, 'cpuMs'>,
  { launch, timeMs, waitMs, signal }: CompileOptions,
): Promise<SolcAnswer> {
  const script = builtFile('solc-child.js');
  if (script === undefined) return failed('cannot run: solc-child.js is missing', 'soon');
  try {
    const args = [...NODE_LIMITS, script];
    const command = await launch(process.execPath, args, LIMITS.compilerMemory);
    const child = spawn(command.file, command.args, {
      cwd: tmpdir(),
      env: forwardedVariables(),
      stdio: [command.stdin, ...STDIO_AFTER_STDIN],
      windowsHide: true,
    });
    const isMeasured = process.platform !== 'win32';
    const wait = isMeasured ? waitMs : timeMs;
    return await answerOf(child, { ...job, cpuMs: timeMs }, wait, signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed(`cannot run: ${message}`, 'soon');
  }
}

const failed = (failure: string, retry: Retry = 'restart'): SolcAnswer => ({ failure, retry });

const forwardedVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Sends the job, and reads what the process writes until it ends. */
async function answerOf(
  child: ChildProcess,
  job: SolcJob,
  waitMs: number,
  signal: AbortSignal,
): Promise<SolcAnswer> {
  let why: string | undefined;
  const kill = (reason: string): void => {
    why ??= reason;
    child.kill('SIGKILL');
  };
  const late = setTimeout(() => {
    kill(`took longer than ${waitMs / 1_000} s`);
  }, waitMs);
  const stop = (): void => {
    kill('was stopped');
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const pieces: Buffer[] = [];
  let length = 0;
  child.stdout?.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > LIMITS.compilerOutput) {
      pieces.length = 0;
      kill(`wrote more than ${LIMITS.compilerOutput / MIB} MiB`);
    } else pieces.push(piece);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => {
      const memory = `the limit of its memory is ${LIMITS.compilerMemory / MIB} MiB`;
      if (by === CPU_SIGNAL) {
        why ??= `took longer than ${job.cpuMs / 1_000} s of processor time`;
      }
      if (code !== 0) why ??= `ended without an answer (${by ?? `exit code ${code}`}; ${memory})`;
      resolve();
    });
  });
  try {
    child.send(job, (error) => {
      if (error) kill(`cannot be reached: ${error.message}`);
    });
    await ended;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
  if (why !== undefined) return failed(why);
  const json = await inSlices(parseJsonWork(Buffer.concat(pieces)));
  return solcAnswerSchema.safeParse(json).data ?? failed('gave output in another form');
}
