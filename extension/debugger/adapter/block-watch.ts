import * as l10n from '@vscode/l10n';
import type { Change } from '../../../server/api/changes';
import { sentence } from '../../model/sentence';
import { isGone } from './known-errors';
import type { RecordedTransaction } from './recorded-transaction';

/** Changes of projects and forks, as the service streams them. */
export interface Changes {
  onDidChange: (listener: (change: Change) => void) => { dispose(): void };
}

/** Notices that the block of a recording was replaced: it asks the service at stops, and after a change of the fork. */
export class BlockWatch {
  readonly #subscription: { dispose(): void } | undefined;
  /** What was said last of the block's replacement. */
  #reason: string | undefined;
  #isAsking = false;
  /** Since the last question was sent. */
  #isWanted = false;

  constructor(
    private readonly recorded: Pick<RecordedTransaction, 'recording' | 'block'>,
    changes: Changes | undefined,
    private readonly on: {
      /** Called with sentences for the user, and once more when they change: a transaction in no block may get into another one. */
      onReplaced: (text: string) => void;
      /** The fork is no longer there for the user. */
      onGone: (error: unknown) => void;
    },
  ) {
    const { chain } = recorded.recording;
    this.#subscription = changes?.onDidChange((change) => {
      const isOurs = 'forkId' in change && change.forkId === chain;
      const mayReplace = change.type === 'transactions' || change.type === 'fork';
      if (isOurs && mayReplace) this.check();
    });
  }

  get isReplaced(): boolean {
    return this.#reason !== undefined;
  }

  /** The name of what is debugged, which says whether its block was replaced. */
  named(name: string): string {
    return this.isReplaced ? l10n.t('{0} (block replaced)', name) : name;
  }

  check(): void {
    this.#isWanted = true;
    if (!this.#isAsking) void this.#askWhileWanted();
  }

  dispose(): void {
    this.#subscription?.dispose();
  }

  async #askWhileWanted(): Promise<void> {
    this.#isAsking = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      try {
        await this.#ask();
      } catch (error) {
        // A node that does not answer says nothing about the block.
        if (isGone(error)) this.on.onGone(error);
      }
    }
    this.#isAsking = false;
  }

  async #ask(): Promise<void> {
    const { isCurrent, reason = '' } = await this.recorded.block();
    if (isCurrent || reason === this.#reason) return;
    this.#reason = reason;
    const stays = l10n.t('What was recorded can still be stepped through.');
    this.on.onReplaced(`${sentence(reason)} ${stays}`);
  }
}

export const goneText = (): string =>
  l10n.t(
    'The fork of this transaction was deleted, or is no longer shared with you, so this session ends. Debug the transaction on another fork.',
  );
