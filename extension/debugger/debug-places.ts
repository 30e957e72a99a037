import * as vscode from 'vscode';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { Emitter } from '../editor/emitter';
import {
  DEBUG_TYPE,
  debuggedCallOf,
  type DebuggedCall,
  type Debugging,
  type FirstStop,
  type PlaceInRecording,
} from '../model/debugging';

interface Debugged extends DebuggedCall {
  session: vscode.DebugSession;
}

/** Where the debug sessions are. */
export class DebugPlaces implements Debugging {
  readonly #sessions = new Map<string, Debugged>();
  readonly #changes = new Emitter<undefined>();
  readonly onDidChange = this.#changes.event;

  get calls(): readonly Debugged[] {
    return [...this.#sessions.values()];
  }

  /** The subject of the session that the editor shows. */
  get active(): DebuggedCall['subject'] | undefined {
    const { id } = vscode.debug.activeDebugSession ?? {};
    return id === undefined ? undefined : this.#sessions.get(id)?.subject;
  }

  async move(
    subject: DebuggedCall['subject'],
    to: FirstStop,
    panel?: vscode.WebviewPanel,
  ): Promise<boolean> {
    const session = debuggedCallOf(this, subject)?.session;
    if (session === undefined) return false;
    const { moveDebugger } = await import('./adapter-bundle');
    await moveDebugger(session, to, panel);
    return true;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
        if (session.type !== DEBUG_TYPE || event !== 'forklens/stopped') return;
        const { node, internalCalls, contracts, failure } = body as PlaceInRecording;
        const subject = subjectOf(session);
        const place = { node, internalCalls, contracts, failure };
        this.#sessions.set(session.id, { session, subject, ...place });
        this.#changes.fire(undefined);
      }),
      vscode.debug.onDidTerminateDebugSession(({ id }) => {
        if (this.#sessions.delete(id)) this.#changes.fire(undefined);
      }),
    );
  }
}

/** What a session debugs, as its configuration names it. */
function subjectOf({ configuration }: vscode.DebugSession): DebuggedCall['subject'] {
  const { chain, fork, hash, simulate } = configuration as {
    chain?: string;
    fork?: string;
    hash?: string;
    simulate?: Simulation['request'];
  };
  const place = chain ?? fork ?? '';
  return simulate === undefined
    ? { chain: place, transaction: (hash ?? '').toLowerCase() }
    : { chain: place, request: simulate };
}
