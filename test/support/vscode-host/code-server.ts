import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eventually } from '../eventually';
import { hostFolder, hostPaths } from './host';
import { processesOf } from './processes';

const START_MS = 60_000;
const STOP_MS = 10_000;

/** Settings that keep the workbench quiet and the same on every machine. */
const SETTINGS = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'window.autoDetectColorScheme': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  // The workbench and webviews take the focus when they are ready, possibly while an input is open.
  'workbench.quickOpen.closeOnFocusLost': false,
};

/** Environment variables of an outer npm, VS Code or Node that must not reach the host. */
const FOREIGN =
  /^(npm_|VSCODE_|CODE_SERVER_|NODE_OPTIONS$|NODE_ENV$|NODE_V8_COVERAGE$|PASSWORD$|PORT$|XDG_RUNTIME_DIR$)/;

export interface CodeServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The environment of all processes of this run. */
  readonly env: Record<string, string>;
  /** Folder of all files of this run: `workspace`, `user-data`, `home`, `server.log`. */
  readonly folder: string;
  /** Merges into the settings, which the running workbench watches. */
  changeSettings(settings: Record<string, unknown>): void;
  /** Ends the process group. @returns the command lines of processes that had to be killed */
  stop(): Promise<string[]>;
}

function privateEnvironment(folder: string, extra: Record<string, string>): Record<string, string> {
  const home = path.join(folder, 'home');
  const tmp = path.join(folder, 'tmp');
  for (const name of [home, tmp]) fs.mkdirSync(name, { recursive: true });
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || FOREIGN.test(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    TMPDIR: tmp,
    EXTENSIONS_GALLERY: '{}',
    ...extra,
  };
}

/** Installs a packed extension for the server that is later started in `folder`. */
async function installExtension(
  vsix: string,
  folder: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const { node, entry } = hostPaths();
  await promisify(execFile)(node, [entry, ...args, '--install-extension', vsix], {
    cwd: folder,
    env,
  });
}

export interface CodeServerOptions {
  readonly settings?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** A packed extension to install. */
  readonly vsix?: string;
  /** Makes the editor ask whether a folder is trusted; otherwise all folders are. */
  readonly workspaceTrust?: boolean;
}

/** Starts a VS Code server on a free port. All its files are below `folder` (an absolute path). */
export async function startCodeServer(
  folder: string,
  options: CodeServerOptions = {},
): Promise<CodeServer> {
  const { node, entry } = hostPaths();
  if (!fs.existsSync(entry)) {
    throw new Error(
      `no VS Code host in ${hostFolder}: run "npx tsx test/support/vscode-host/install.ts"`,
    );
  }
  const env = privateEnvironment(folder, options.env ?? {});
  // Settings with the scope `machine` are read from the server's own file, all others from the user's.
  const settingsFiles = ['User', 'Machine'].map((scope) =>
    path.join(folder, 'user-data', scope, 'settings.json'),
  );
  let settings: Record<string, unknown> = {};
  const changeSettings = (changed: Record<string, unknown>): void => {
    settings = { ...settings, ...changed };
    for (const file of settingsFiles) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(settings, null, 2));
    }
  };
  changeSettings({ ...SETTINGS, ...options.settings });

  const userData = ['--user-data-dir', path.join(folder, 'user-data')];
  const extensions = ['--extensions-dir', path.join(folder, 'extensions')];
  if (options.vsix !== undefined) {
    await installExtension(options.vsix, folder, [...userData, ...extensions], env);
  }
  const quiet = ['--disable-telemetry', '--disable-update-check'];
  if (options.workspaceTrust !== true) quiet.push('--disable-workspace-trust');
  const listen = ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--config', '/dev/null'];
  const child = spawn(
    node,
    [entry, ...listen, ...userData, ...extensions, ...quiet, '--disable-getting-started-override'],
    // detached: creates a process group, which can be ended as a whole
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  const log = fs.createWriteStream(path.join(folder, 'server.log'));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });

  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // the group has ended
    }
  };
  const stop = async (): Promise<string[]> => {
    signalGroup('SIGTERM');
    const end = (): void => {
      if (processesOf(folder).length > 0) throw new Error('processes are left');
    };
    await eventually(end, STOP_MS).catch(() => undefined); // they are killed below
    const left = processesOf(folder);
    signalGroup('SIGKILL');
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has already ended
      }
    }
    await exited;
    log.end();
    return left.map(({ command }) => command);
  };

  let timer: NodeJS.Timeout | undefined;
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (reason: string): void => {
        const file = path.join(folder, 'server.log');
        reject(new Error(`code-server ${reason}:\n${fs.readFileSync(file, 'utf8').slice(-3000)}`));
      };
      timer = setTimeout(() => {
        fail('did not listen in time');
      }, START_MS);
      child.once('error', reject);
      child.once('exit', (code) => {
        fail(`ended with ${String(code)}`);
      });
      createInterface(child.stdout).on('line', (line) => {
        const found = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
        if (found) resolve(found);
      });
    });
    return { url, env, folder, changeSettings, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
