import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
/** A compiler in the form that Foundry runs. */
export const SOLC = join(__dirname, 'solc-wrapper.mjs');

/** Path of a tool's executable. */
export const binary = (tool: 'cast' | 'forge'): string => {
  const require = createRequire(join(ROOT, 'package.json'));
  const launcher = require.resolve(`@foundry-rs/${tool}/package.json`);
  return createRequire(launcher).resolve(
    `@foundry-rs/${tool}-${process.platform}-amd64/bin/${tool}`,
  );
};

/** Foundry's tools in a project that is a copy of a folder of `test/fixtures`. */
export class Foundry {
  /** Additional environment variables of the tools. */
  readonly env: Record<string, string> = {};

  private constructor(
    private readonly home: string,
    readonly project: string,
  ) {}

  static async open(home: string, fixture = 'foundry'): Promise<Foundry> {
    const project = join(home, 'project');
    await cp(join(ROOT, 'test/fixtures', fixture), project, { recursive: true });
    return new Foundry(home, project);
  }

  /** @returns its standard output. Rejects if it fails, with its standard error in the message */
  cast(...args: string[]): Promise<string> {
    return this.#run(binary('cast'), args);
  }

  forge(command: string, ...args: string[]): Promise<string> {
    return this.#run(binary('forge'), [command, ...args, '--use', SOLC]);
  }

  async #run(file: string, args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(file, args, {
      cwd: this.project,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
        ...this.env,
      },
    });
    return stdout.trim();
  }
}
