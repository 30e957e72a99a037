import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { OnProgress } from '../api/progress';
import type { RouteData, RouteId, RouteInput } from '../api/routes';
import type { Caller } from '../projects/access-keys';
import type { EventStream } from './event-stream';

/** What a handler knows besides its input. */
export interface RequestContext extends Caller {
  /** Aborts when the client goes away before its answer. The reason is an ApiError `cancelled`. */
  signal: AbortSignal;
  requestId: string;
  /** Tells the client how far a long operation is, if it wants to know. */
  onProgress: OnProgress;
}

/** One handler per operation of `ROUTES`. */
export type Handlers = {
  [Id in RouteId]: (input: RouteInput<Id>, context: RequestContext) => Promise<RouteData<Id>>;
};

/** What the middlewares of one request leave for each other in `response.locals`. */
interface Locals extends Record<string, unknown> {
  requestId: string;
  /** Id of the operation, or what else names the request in the log. */
  operation?: string;
  /** Methods that the path takes; set where a path is known and its method is not. */
  allowedMethods?: string[];
  /** Set where the client gets events instead of one answer. */
  events?: EventStream;
  /** Code of the envelope that was sent. */
  code?: number;
}

export type LocalResponse = Response<unknown, Locals>;
type Texts = Record<string, string>;
export type LocalHandler = RequestHandler<Texts, unknown, unknown, Texts, Locals>;
export type LocalErrorHandler = ErrorRequestHandler<Texts, unknown, unknown, Texts, Locals>;
