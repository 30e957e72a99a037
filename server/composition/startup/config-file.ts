import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configSchema, type Config } from '../../api/config';
import { fieldPath } from '../../api/validation';

/** An invalid option or config file. The message is for the user and contains no secret. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads and validates a config file. Relative paths in it are relative to its folder.
 * @param path undefined: the defaults only, with paths relative to the working directory
 * @throws UsageError that names the path inside the file, without the value: RPC URLs contain provider keys
 */
export function loadConfig(path: string | undefined): Config {
  const result = configSchema.safeParse(path === undefined ? {} : readJson(path));
  if (!result.success) {
    throw new UsageError(
      result.error.issues
        .map((issue) => `${String(path)}: ${fieldPath(issue.path, 'the file')}: ${issue.message}`)
        .join('\n'),
    );
  }
  const config = result.data;
  refuseSharedSlugs(config, String(path));
  return withAbsolutePaths(config, path === undefined ? process.cwd() : dirname(resolve(path)));
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the config file: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's own message quotes the text around the fault, which may be a URL with a key.
    const offset = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = offset === undefined ? '' : ` near line ${lineOf(text, Number(offset))}`;
    throw new UsageError(`${path}: not JSON${line}`);
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function refuseSharedSlugs({ chains }: Config, path: string): void {
  const slugs = chains.map(({ slug }) => slug);
  const second = slugs.findIndex((slug, index) => slugs.indexOf(slug) !== index);
  if (second >= 0) {
    throw new UsageError(
      `${path}: chains[${second}].slug: ${String(slugs[second])} is used by an earlier entry`,
    );
  }
}

function withAbsolutePaths(config: Config, folder: string): Config {
  const { anvilPath, ...engine } = config.engine;
  const isPath = anvilPath !== undefined && /[/\\]/.test(anvilPath);
  return {
    ...config,
    abi: { ...config.abi, artifacts: config.abi.artifacts.map((path) => resolve(folder, path)) },
    audit: {
      ...config.audit,
      ...(config.audit.file !== undefined && { file: resolve(folder, config.audit.file) }),
    },
    engine: {
      ...engine,
      ...(anvilPath === undefined
        ? {}
        : { anvilPath: isPath ? resolve(folder, anvilPath) : anvilPath }),
    },
  };
}
