import * as l10n from '@vscode/l10n';
import {
  ContinuedEvent,
  Event,
  InitializedEvent,
  InvalidatedEvent,
  TerminatedEvent,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { ApiError } from '../../../server/api/errors';
import { BlockWatch, goneText } from './block-watch';
import { Breakpoints } from './breakpoints';
import { capabilities } from './capabilities';
import type { DebuggerOptions } from './debugger-options';
import { Deferred } from './deferred';
import { destinationOf, firstStepOf, requireStep } from './destination';
import { firstStop, readLaunch, type Launch } from './launch';
import { isGone } from './known-errors';
import { readKept } from './kept-breakpoints';
import { Lines } from './lines';
import { ProtocolSession } from './protocol-session';
import { RecordedTransaction } from './recorded-transaction';
import { RECORDING_PROGRESS, recordWithProgress } from './recording-progress';
import { missingCompilers, remarksOf } from './remarks';
import { returnedBy } from './returned';
import type { Handlers } from './requests';
import { Sources } from './sources';
import { callOf } from './stack-frames';
import { SourceWatch } from './source-watch';
import { causeText, placeEvent, stopEvents, THREAD, type StopCause } from './stopped';
import { asShown, stepOrContinue, type Movement } from './step-and-continue';
import { changeHandlers } from './change-variables';
import { executionName, stopOf, type Viewed } from './viewed';
import { viewHandlers } from './views';

/** One debug session: the Debug Adapter Protocol over a recording of a transaction. */
export class TransactionDebugger extends ProtocolSession {
  protected readonly handlers: Handlers;
  /** Ends all requests of the session. */
  readonly #end = new AbortController();
  readonly #configured = new Deferred<void>();
  readonly #ready = new Deferred<Viewed>();
  #clientFacts: Partial<DebugProtocol.InitializeRequestArguments> = {};
  /** The movement under way. */
  #movement: AbortController | undefined;
  #blockWatch: BlockWatch | undefined;
  #sourceWatch: SourceWatch | undefined;
  #isLaunched = false;
  #isAtEnd = false;

  constructor(private readonly options: DebuggerOptions) {
    super(options.onError);
    // A failed launch is answered by itself.
    void Promise.allSettled([this.#ready.promise, this.#configured.promise]);
    this.handlers = {
      ...viewHandlers(() => this.#viewed()),
      ...changeHandlers({
        ready: () => this.#viewed(),
        isReplaced: () => this.#blockWatch?.isReplaced ?? false,
        simulate: (body) => {
          this.afterAnswer(() => {
            this.sendEvent(new Event('forklens/simulate', body));
          });
        },
      }),
      ...this.#lifeHandlers(),
      ...this.#movementHandlers(),
    };
  }

  override dispose(): void {
    this.#stopWork();
  }

  /** The recording, as soon as it is there. @throws ApiError before the launch; `cancelled` after the end */
  async #viewed(): Promise<Viewed> {
    if (!this.#isLaunched) {
      throw new ApiError('invalidField', l10n.t('nothing is debugged yet: launch comes first'));
    }
    const viewed = await this.#ready.promise;
    if (this.#end.signal.aborted) throw new ApiError('cancelled', 'cancelled');
    return viewed;
  }

  #lifeHandlers() {
    return {
      initialize: (args) => {
        this.#clientFacts = args;
        return capabilities(readKept(this.options.kept));
      },

      launch: async (args) => {
        if (this.#isLaunched) {
          const text = l10n.t('this session has been launched already: start another one');
          throw new ApiError('invalidField', text);
        }
        const launch = readLaunch(args);
        this.#isLaunched = true;
        try {
          this.#ready.resolve(await this.#record(launch));
        } catch (error) {
          this.#ready.reject(error);
          throw error;
        }
        this.sendEvent(new InitializedEvent());
        await this.#configured.promise;
        this.afterAnswer(() => this.#begin(launch));
      },

      configurationDone: () => {
        this.#configured.resolve();
      },

      disconnect: () => {
        this.#stopWork();
      },

      terminate: () => {
        this.#stopWork();
        this.#terminated();
      },

      cancel: ({ progressId }) => {
        // Single requests are quick: their answers still come.
        if (progressId === RECORDING_PROGRESS) this.#stopWork();
      },

      threads: async () => {
        const name = executionName((await this.#viewed()).recorded);
        return { threads: [{ id: THREAD, name: this.#blockWatch?.named(name) ?? name }] };
      },
    } satisfies Partial<Handlers>;
  }

  #movementHandlers() {
    const step = (
      movement: Pick<Movement, 'direction' | 'depth'>,
      granularity: DebugProtocol.SteppingGranularity = 'statement',
    ): Promise<void> => this.#start({ mode: 'step', ...movement, granularity });
    return {
      next: (args) => step({ direction: 'forwards', depth: 'over' }, args.granularity),
      stepIn: async ({ granularity, targetId }) => {
        if (targetId !== undefined) await this.#enter(targetId, 'targetId', { reason: 'step' });
        else await step({ direction: 'forwards', depth: 'into' }, granularity);
      },
      stepOut: (args) => step({ direction: 'forwards', depth: 'out' }, args.granularity),
      stepBack: (args) => step({ direction: 'backwards', depth: 'over' }, args.granularity),
      reverseContinue: () => this.#start({ direction: 'backwards', mode: 'continue' }),
      continue: async () => {
        if (this.#isAtEnd) this.#terminated();
        else await this.#start({ direction: 'forwards', mode: 'continue' });
        return { allThreadsContinued: true };
      },

      pause: async () => {
        const { stop } = await this.#viewed();
        if (this.#movement !== undefined) this.#movement.abort();
        else this.afterAnswer(() => this.#stopAt(stop.step, { reason: 'pause' }));
      },

      goto: async ({ targetId }) => {
        const { recorded } = await this.#viewed();
        await this.#goTo(requireStep(recorded, targetId, 'targetId'));
      },
      restart: async () => {
        const { recorded } = await this.#viewed();
        await this.#goTo(recorded.recording.entry, { reason: 'entry' });
      },
      restartFrame: async ({ frameId }) => {
        await this.#enter(callOf(frameId), 'frameId');
      },

      'forklens/goTo': async (args) => {
        const { recorded } = await this.#viewed();
        const { step, ...cause } = await destinationOf(recorded, args, this.#end.signal);
        await this.#goTo(step, cause);
      },
    } satisfies Partial<Handlers>;
  }

  async #record(launch: Launch): Promise<Viewed> {
    const { client, locate } = this.options;
    const { signal } = this.#end;
    const send = (event: DebugProtocol.Event): void => {
      if (this.#clientFacts.supportsProgressReporting === true) this.sendEvent(event);
    };
    const recording = await recordWithProgress(client, launch, send, signal);
    const recorded = await new RecordedTransaction(client, recording, signal).loadNames();
    this.#blockWatch = new BlockWatch(recorded, this.options.changes, {
      onReplaced: (text) => {
        this.print(text, 'important');
        this.#invalidate('threads');
      },
      onGone: this.report.bind(this),
    });
    this.#sourceWatch = new SourceWatch(this.options.builds, () => this.#lookForSources());
    const sources = new Sources(recorded, locate);
    const lines = new Lines(this.#clientFacts);
    const breakpoints = new Breakpoints(recorded, sources, lines, readKept(this.options.kept));
    const stop = await stopOf(recorded, recording.entry);
    return { launch, recorded, sources, lines, breakpoints, stop };
  }

  /** Prints what the user has to know of the recording, and goes to the first stop. */
  async #begin(launch: Launch): Promise<void> {
    const { recorded } = await this.#viewed();
    for (const { text, category } of remarksOf(launch, recorded.recording)) {
      this.print(text, category);
    }
    const missing = missingCompilers(recorded.recording.twin?.contracts ?? []);
    if (missing.length > 0) this.sendEvent(new Event('forklens/missingCompilers', { missing }));
    const { step, remark, ...cause } = await firstStop(recorded, launch.stopAt, this.#end.signal);
    if (remark !== undefined) this.print(remark, 'important');
    const start = launch.changes.length > 0 ? l10n.t('Start of the changed simulation') : '';
    await this.#stopAt(step, { text: start, ...cause });
  }

  /** Begins a movement: the answer to the request comes first, the end of the movement is an event. */
  async #start(movement: Movement): Promise<void> {
    const viewed = await this.#viewed();
    this.#movement?.abort();
    const controller = new AbortController();
    this.#movement = controller;
    this.afterAnswer(async () => {
      const { recorded, breakpoints } = viewed;
      const from = viewed.stop.step;
      let reached = from;
      try {
        // Clients need not wait for the answer before they go on.
        await breakpoints.settled();
        const { conditions } = breakpoints;
        const way = await asShown(recorded, reached, movement);
        const found = await stepOrContinue(recorded, reached, way, conditions, {
          signal: controller.signal,
          onPart: (step, messages) => {
            reached = step;
            for (const text of messages) this.print(text);
          },
        });
        const returned = await returnedBy(recorded, from, movement, found);
        const text = causeText(found, breakpoints.places);
        await this.#stopAt(found.step, { ...found, text, ...(returned && { returned }) });
      } catch (error) {
        if (this.#end.signal.aborted || this.#movement !== controller) return;
        this.report(error);
        if (isGone(error)) return;
        await this.#stopAt(reached, { reason: 'pause' });
      } finally {
        if (this.#movement === controller) this.#movement = undefined;
      }
    });
  }

  /** Moves to the begin of a call. */
  async #enter(call: number, field: 'frameId' | 'targetId', cause?: StopCause): Promise<void> {
    const { recorded } = await this.#viewed();
    await this.#goTo(await firstStepOf(recorded, call, field, this.#end.signal), cause);
  }

  /** Moves to a step, without a search. */
  async #goTo(step: number, cause: StopCause = { reason: 'goto' }): Promise<void> {
    await this.#viewed();
    this.#movement?.abort();
    this.#movement = undefined;
    this.afterAnswer(async () => {
      // Not every client knows that the request moves the debugger.
      this.sendEvent(new ContinuedEvent(THREAD, true));
      await this.#stopAt(step, cause);
    });
  }

  async #stopAt(step: number, cause: StopCause): Promise<void> {
    const viewed = await this.#viewed();
    const { recorded, stop: before } = viewed;
    await this.#renew(viewed, step);
    viewed.stop = await stopOf(recorded, step, cause.text, cause.returned);
    this.#isAtEnd = cause.reason === 'end';
    const { uncertain } = await recorded.step(step);
    if (uncertain !== undefined) {
      this.print(l10n.t('The line is not certain: {0}.', uncertain), 'important');
    }
    const events = await stopEvents(viewed, before.step, cause, this.#clientFacts);
    for (const event of events) this.sendEvent(event);
    this.#blockWatch?.check();
  }

  /** Takes what became known of the sources. @returns whether it is more than before */
  async #renew({ recorded, sources, breakpoints }: Viewed, step: number): Promise<boolean> {
    if (!(await recorded.renew(step))) return false;
    sources.forget();
    this.showChanged(await breakpoints.renew());
    return true;
  }

  /** Shows the stop again if more is known of the sources. A movement does so by itself. */
  async #lookForSources(): Promise<void> {
    const viewed = await this.#viewed();
    const { stop } = viewed;
    if (this.#movement !== undefined || !(await this.#renew(viewed, stop.step))) return;
    if (viewed.stop !== stop) return;
    viewed.stop = await stopOf(viewed.recorded, stop.step, stop.text, stop.returned);
    this.#invalidate('all');
    this.sendEvent(await placeEvent(viewed));
  }

  #invalidate(area: DebugProtocol.InvalidatedAreas): void {
    if (this.#clientFacts.supportsInvalidatedEvent !== true) return;
    this.sendEvent(new InvalidatedEvent([area]));
  }

  protected override report(error: unknown): void {
    if (!this.#end.signal.aborted) super.report(error);
  }

  /** Without its fork, a recording is no longer there: the session ends. */
  protected override failed(error: unknown): string {
    if (!this.#blockWatch || !isGone(error)) return super.failed(error);
    if (!this.#end.signal.aborted) this.#terminated();
    this.#stopWork();
    return goneText();
  }

  #terminated(): void {
    this.afterAnswer(() => {
      this.sendEvent(new TerminatedEvent());
    });
  }

  #stopWork(): void {
    this.#end.abort();
    this.#blockWatch?.dispose();
    this.#sourceWatch?.dispose();
    this.#movement?.abort();
    const cancelled = new ApiError('cancelled', 'cancelled');
    for (const awaited of [this.#ready, this.#configured]) awaited.reject(cancelled);
  }
}
