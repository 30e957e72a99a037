import type * as vscode from 'vscode';
import type { ChangeAudience } from '../account/follow-changes';
import { Emitter, type Disposable } from '../editor/emitter';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { Watches, WatchView } from '../model/watch';
import type { ChangeListener } from '../service/change-listener';
import type { Watcher } from './watch-bundle';
import { WATCHES_KEY } from './watches-key';

export type WatchContext = Pick<CommandContext, 'client' | 'service' | 'memento' | 'log'>;

/** Watched addresses and events of this workspace. What follows them is in a bundle of its own, loaded where something is watched. */
export class Watching implements Watches, ChangeAudience, vscode.Disposable {
  readonly #changes = new Emitter<undefined>();
  readonly onDidChange = this.#changes.event;
  readonly onDidChangeShown = this.#changes.event;
  readonly #subscriptions: Disposable[];
  #loading: Promise<Watcher> | undefined;
  #watcher: Watcher | undefined;

  constructor(
    private readonly context: WatchContext,
    changes: Pick<ChangeListener, 'onDidConnect' | 'onDidChange'>,
  ) {
    const askAll = (): void => void this.#watcher?.askAll();
    this.#subscriptions = [
      context.service.onDidChangeState(({ kind }) => {
        if (kind !== 'starting' && kind !== 'stopping') askAll();
      }),
      changes.onDidConnect(askAll),
      changes.onDidChange((change) => {
        if ('forkId' in change) void this.#watcher?.apply(change);
      }),
    ];
    if (context.memento.get(WATCHES_KEY) !== undefined) void this.#load();
  }

  /** Changes of forks are heard while a fork is watched. */
  get isShown(): boolean {
    return this.list().some(({ watch }) => watch.project !== undefined);
  }

  list(): readonly WatchView[] {
    return this.#watcher?.list() ?? [];
  }

  commands(): Pick<
    Commands,
    'forklens.watchAddress' | 'forklens.watchEvent' | 'forklens.stopWatching'
  > {
    return {
      'forklens.watchAddress': async (item) => {
        const { addWatch } = await import('./watch-bundle');
        await addWatch('address', this.context, await this.#load(), item);
      },
      'forklens.watchEvent': async (item) => {
        const { addWatch } = await import('./watch-bundle');
        await addWatch('event', this.context, await this.#load(), item);
      },
      'forklens.stopWatching': async (item) => {
        const { stopWatching } = await import('./watch-bundle');
        await stopWatching(await this.#load(), item);
      },
    };
  }

  dispose(): void {
    this.#watcher?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #load(): Promise<Watcher> {
    this.#loading ??= import('./watch-bundle').then(({ startWatcher }) => {
      const watcher = startWatcher(this.context);
      this.#watcher = watcher;
      watcher.onDidChange(this.#changes.fire.bind(this.#changes));
      this.#changes.fire(undefined);
      return watcher;
    });
    return this.#loading;
  }
}
