import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { OnProgress } from '../api/progress';
import type { RouteData, RouteId, RouteInput } from '../api/routes';
import type { Caller } from '../projects/access-keys';
import type { ProjectAccess } from './access';
import type { EventStream } from './event-stream';

/** Context of a request, besides the handler's input. */
export interface RequestContext extends Caller {
  /** The project that the request concerns. The caller's role in it suffices for the operation. */
  access: ProjectAccess | undefined;
  /** Aborts if the client disconnects before the answer. The reason is an ApiError `cancelled`. */
  signal: AbortSignal;
  requestId: string;
  /** Reports the progress of a long operation to the client, if the client requested events. */
  onProgress: OnProgress;
}

/** One handler per operation of `ROUTES`. */
export type Handlers = {
  [Id in RouteId]: (input: RouteInput<Id>, context: RequestContext) => Promise<RouteData<Id>>;
};

/** Values that the middlewares of one request share in `response.locals`. */
interface Locals extends Record<string, unknown> {
  requestId: string;
  /** Id of the operation, or another name of the request for the log. */
  operation?: string;
  /** Methods of the path. Set if the path exists and does not support the request's method. */
  allowedMethods?: string[];
  /** Set if the client receives events instead of a single answer. */
  events?: EventStream;
  /** Error code of the envelope that was sent. */
  code?: number;
}

export type LocalResponse = Response<unknown, Locals>;
type Texts = Record<string, string>;
export type LocalHandler = RequestHandler<Texts, unknown, unknown, Texts, Locals>;
export type LocalErrorHandler = ErrorRequestHandler<Texts, unknown, unknown, Texts, Locals>;
