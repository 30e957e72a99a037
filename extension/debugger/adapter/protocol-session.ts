import * as l10n from '@vscode/l10n';
import { BreakpointEvent, DebugSession, OutputEvent, Response } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { ApiError } from '../../../server/api/errors';
import { checkedArguments } from './argument-checks';
import { isCancelled, messageOf } from './known-errors';
import type { Handlers, Requests } from './requests';

/** Answers requests by a table of handlers. Every error that a handler throws is answered here, as a sentence. */
export abstract class ProtocolSession extends DebugSession {
  protected abstract readonly handlers: Handlers;

  /** @param onError receives every error but cancellations, for a log */
  constructor(private readonly onError?: (error: unknown) => void) {
    super();
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    void this.#answer(request);
  }

  /** Runs work when the answer to the current request has been sent. */
  protected afterAnswer(work: () => void | Promise<void>): void {
    setImmediate(() => {
      Promise.resolve()
        .then(work)
        .catch((error: unknown) => {
          this.report(error);
        });
    });
  }

  /** Writes a line to the debug console. */
  protected print(text: string, category = 'console'): void {
    this.sendEvent(new OutputEvent(`${text}\n`, category));
  }

  /** Shows breakpoints that were set earlier in another way, by their ids. */
  protected showChanged(breakpoints: readonly DebugProtocol.Breakpoint[]): void {
    for (const breakpoint of breakpoints) {
      this.sendEvent(new BreakpointEvent('changed', breakpoint));
    }
  }

  /** Writes an error to the debug console. */
  protected report(error: unknown): void {
    if (isCancelled(error)) return;
    this.onError?.(error);
    this.print(this.failed(error), 'stderr');
  }

  /** Receives every error but cancellations. @returns what the user sees of it */
  protected failed(error: unknown): string {
    return messageOf(error);
  }

  async #answer(request: DebugProtocol.Request): Promise<void> {
    const response = new Response(request) as DebugProtocol.Response;
    try {
      response.body = await this.#handle(request);
      this.sendResponse(response);
    } catch (error) {
      if (isCancelled(error)) {
        this.sendErrorResponse(response, { id: 2, format: 'cancelled', showUser: false });
        return;
      }
      this.onError?.(error);
      const message = { id: 1, format: this.failed(error) };
      this.sendErrorResponse(response, { ...message, showUser: request.command === 'launch' });
    }
  }

  #handle({ command, arguments: given }: DebugProtocol.Request): unknown {
    if (!Object.hasOwn(this.handlers, command)) {
      throw new ApiError('invalidField', l10n.t('the debugger has no request {0}', command));
    }
    const handle = this.handlers[command as keyof Requests] as (args: unknown) => unknown;
    return handle(checkedArguments(command, given));
  }
}
