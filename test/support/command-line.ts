import { spawnBundle, type Spawned } from './service';

/** How a command ended. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the type of the JSON
  json: <T>() => T;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** Working directory. */
  cwd?: string;
  /** Standard input. */
  input?: string;
}

/** The command line on one data directory, with its own configuration folder. */
export class CommandLine {
  /** @param home directory of the user's configuration */
  constructor(
    private readonly home: string,
    private readonly env: Record<string, string> = {},
  ) {}

  spawn(args: readonly string[], { env = {}, cwd }: CliOptions = {}): Spawned {
    return spawnBundle('cli.js', args, {
      env: { XDG_CONFIG_HOME: this.home, HOME: this.home, ...this.env, ...env },
      cwd,
    });
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
    const spawned = this.spawn(args, options);
    spawned.child.stdin!.end(options.input ?? '');
    const { code } = await spawned.exited;
    const stdout = spawned.stdout.join('\n');
    return {
      code,
      stdout,
      stderr: spawned.stderr.join('\n'),
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the type of the JSON
      json: <T>() => JSON.parse(stdout) as T,
    };
  }

  /** Standard output of a command that must succeed. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}: ${stderr}`);
    return stdout;
  }

  /** Returns the JSON output of a command that must succeed. Adds `--json`. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '--json')) as T;
  }
}
