import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandLineOf } from '../support/proc';
import { childrenOf } from '../support/processes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SYSTEM = pathToFileURL(join(__dirname, 'faulty-system.mjs')).href;

/** The service that the faults strike: one process after another on the same data directory. */
export class Subject {
  service!: TestService;
  #settings = 0;

  private constructor(
    private readonly config: object,
    readonly dataDir: string,
    private readonly system: string,
  ) {}

  static async start(config: object): Promise<Subject> {
    const folders = await Promise.all([makeTemporaryDirectory(), makeTemporaryDirectory()]);
    const subject = new Subject(config, ...folders);
    await subject.restart();
    return subject;
  }

  async restart(): Promise<void> {
    const { config, dataDir, system } = this;
    const env = { NODE_OPTIONS: `--import=${SYSTEM}`, FAULTS_FOLDER: system };
    this.service = await startService({ dataDir, config, env });
  }

  get pid(): number {
    return this.service.child.pid!;
  }

  get isGone(): boolean {
    const { exitCode, signalCode } = this.service.child;
    return exitCode !== null || signalCode !== null;
  }

  /** Process ids of the engines. */
  engines(): number[] {
    return childrenOf(this.pid).filter(isEngine);
  }

  /** Process ids of the service's other child processes. */
  helpers(): number[] {
    return childrenOf(this.pid).filter((pid) => !isEngine(pid));
  }

  /** Bytes left on the disk; undefined: unlimited. */
  setDisk(bytes: number | undefined): Promise<void> {
    // Each text is unique, because each one resets the counter of written bytes.
    return this.#set('disk', bytes === undefined ? undefined : `${bytes} ${++this.#settings}`);
  }

  /** Milliseconds that the service's clock is ahead; undefined: none. */
  setClock(ahead: number | undefined): Promise<void> {
    return this.#set('clock', ahead === undefined ? undefined : String(ahead));
  }

  /** File descriptors that the service can open in addition; undefined: the hard limit. */
  setDescriptors(more: number | undefined): void {
    const { pid } = this;
    const open = readdirSync(`/proc/${pid}/fd`).length;
    const [, , hard = ''] = /Max open files +(\S+) +(\S+)/.exec(
      readFileSync(`/proc/${pid}/limits`, 'utf8'),
    )!;
    const soft = more === undefined ? hard : String(open + more);
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:${hard}`]);
  }

  async close(): Promise<void> {
    if (!this.isGone) await this.service.kill();
    await removeDirectory(this.dataDir);
    await removeDirectory(this.system);
  }

  async #set(name: string, text: string | undefined): Promise<void> {
    const path = join(this.system, name);
    if (text === undefined) return rm(path, { force: true });
    await symlink(text, `${path}.new`);
    await rename(`${path}.new`, path);
  }
}

const isEngine = (pid: number): boolean => commandLineOf(pid).join(' ').includes('anvil');
