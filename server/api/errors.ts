/**
 * All errors that the service reports. `code` is the `code` of the envelope (stable: HTTP status x 100 + n), `status` the HTTP status.
 * This table is the source of the error lists in server/REST.md and in the OpenAPI document.
 */
export const API_ERRORS = {
  malformedJson: { code: 40000, status: 400, meaning: 'The body is not JSON.' },
  invalidField: {
    code: 40001,
    status: 400,
    meaning: 'A field is missing or has a value that is not accepted.',
  },
  invalidHost: { code: 40002, status: 400, meaning: 'The Host header does not name this service.' },
  keyMissing: { code: 40100, status: 401, meaning: 'The Access-Key header is missing.' },
  keyUnknown: { code: 40101, status: 401, meaning: 'The access key is unknown or revoked.' },
  keyExpired: { code: 40102, status: 401, meaning: 'The access key has expired.' },
  scopeMissing: {
    code: 40300,
    status: 403,
    meaning: 'The access key lacks the scope of this operation.',
  },
  ownerOnly: { code: 40301, status: 403, meaning: 'Only the owner of the project may do this.' },
  localUserOnly: {
    code: 40302,
    status: 403,
    meaning: 'Only the local user of the machine may have the service read its files.',
  },
  roleMissing: {
    code: 40303,
    status: 403,
    meaning: 'Your role in the project does not permit this operation.',
  },
  routeNotFound: { code: 40400, status: 404, meaning: 'There is no such route.' },
  projectNotFound: {
    code: 40401,
    status: 404,
    meaning: 'There is no such project, or it is not yours.',
  },
  forkNotFound: { code: 40402, status: 404, meaning: 'There is no such fork, or it is not yours.' },
  transactionNotFound: {
    code: 40403,
    status: 404,
    meaning: 'The chain does not know the transaction.',
  },
  chainNotFound: { code: 40404, status: 404, meaning: 'There is no chain or fork with this name.' },
  userNotFound: { code: 40405, status: 404, meaning: 'There is no such user.' },
  keyNotFound: { code: 40406, status: 404, meaning: 'There is no such access key.' },
  blockNotFound: { code: 40407, status: 404, meaning: 'The chain has no such block.' },
  abiNotFound: { code: 40408, status: 404, meaning: 'No ABI was given for this address.' },
  snapshotNotFound: {
    code: 40409,
    status: 404,
    meaning: 'The fork has no such snapshot.',
  },
  labelNotFound: { code: 40410, status: 404, meaning: 'You have no label for this address.' },
  caseNotFound: { code: 40411, status: 404, meaning: 'There is no such open case.' },
  methodNotAllowed: {
    code: 40501,
    status: 405,
    meaning: 'The route exists, but not with this method.',
  },
  projectLimit: {
    code: 40900,
    status: 409,
    meaning: 'The owner has reached the limit of projects.',
  },
  alreadyExists: { code: 40901, status: 409, meaning: 'It exists already.' },
  transactionPending: { code: 40902, status: 409, meaning: 'The transaction is not mined yet.' },
  snapshotFixed: { code: 40903, status: 409, meaning: 'The default snapshot cannot be deleted.' },
  snapshotLimit: {
    code: 40904,
    status: 409,
    meaning: 'The fork has reached the limit of named snapshots.',
  },
  labelLimit: { code: 40905, status: 409, meaning: 'You have reached the limit of labels.' },
  keyLimit: {
    code: 40906,
    status: 409,
    meaning: 'You have reached the limit of valid access keys.',
  },
  keyReplaced: {
    code: 40907,
    status: 409,
    meaning: 'The access key was rotated before; rotate the key that replaces it.',
  },
  forkQuota: {
    code: 40908,
    status: 409,
    meaning: 'The quota of forks of the user or the project is used up; delete a fork.',
  },
  bodyTooLarge: { code: 41300, status: 413, meaning: 'The body is larger than allowed.' },
  unsupportedMediaType: {
    code: 41500,
    status: 415,
    meaning: 'The body is not declared as JSON in UTF-8 by Content-Type: application/json.',
  },
  simulationRejected: {
    code: 42200,
    status: 422,
    meaning: 'No block can contain the simulated transaction.',
  },
  recordingTooLarge: {
    code: 42201,
    status: 422,
    meaning: 'The execution is too long to be recorded; the message names the limit.',
  },
  recordingUnsupported: {
    code: 42202,
    status: 422,
    meaning: 'The execution cannot be recorded; the message says why, and what to do.',
  },
  rulesUnsupported: {
    code: 42203,
    status: 422,
    meaning: 'The block follows rules that this version cannot execute; the message names them.',
  },
  unchanged: {
    code: 42204,
    status: 422,
    meaning:
      'The expression has the same value at both ends of the range, so that there is no change to find.',
  },
  caseRefused: {
    code: 42205,
    status: 422,
    meaning: 'The case file is damaged, or not what it claims to be; the message says why.',
  },
  tooManyRequests: { code: 42900, status: 429, meaning: 'Too many requests; try again later.' },
  engineQuota: {
    code: 42901,
    status: 429,
    meaning:
      'The quota of running engines of the user or the project is used up; Retry-After says when to try again.',
  },
  requestQuota: {
    code: 42902,
    status: 429,
    meaning:
      'The quota of requests a minute of the user or the project is used up; Retry-After says when to try again.',
  },
  analysisQuota: {
    code: 42903,
    status: 429,
    meaning:
      'The quota of analyses at a time of the user or the project is used up; Retry-After says when to try again.',
  },
  cancelled: {
    code: 49900,
    status: 499,
    meaning: 'The client disconnected before the answer was ready.',
  },
  internal: { code: 50000, status: 500, meaning: 'The service failed; its log has the details.' },
  storageDamaged: {
    code: 50001,
    status: 500,
    meaning: 'A data file of the service is damaged; the message names the file and the remedy.',
  },
  upstreamUnreachable: {
    code: 50200,
    status: 502,
    meaning: 'No RPC endpoint of the chain answers.',
  },
  upstreamLacksData: {
    code: 50201,
    status: 502,
    meaning: 'The RPC endpoint lacks the data, or the method that returns it.',
  },
  engineUnavailable: {
    code: 50300,
    status: 503,
    meaning: "The fork's engine could not be started.",
  },
  outOfFiles: {
    code: 50301,
    status: 503,
    meaning: 'The service has reached the limit of open files of the system; try again later.',
  },
  enginesBusy: {
    code: 50302,
    status: 503,
    meaning: 'Too many forks wait for an engine; Retry-After says when to try again.',
  },
  databaseUnavailable: {
    code: 50303,
    status: 503,
    meaning: 'The database of the service does not answer; Retry-After says when to try again.',
  },
  forkElsewhere: {
    code: 50304,
    status: 503,
    meaning: 'Another node of the service runs the fork; Retry-After says when to try again.',
  },
  timedOut: { code: 50400, status: 504, meaning: 'It took longer than allowed.' },
  storageFull: {
    code: 50700,
    status: 507,
    meaning: 'There is no space left for the data of the service.',
  },
  journalFull: {
    code: 50701,
    status: 507,
    meaning: 'The fork has reached the limit of changes; the message says what to do.',
  },
  diskQuota: {
    code: 50702,
    status: 507,
    meaning: 'The quota of disk space of the user or the project is used up; delete a fork.',
  },
} as const;

export type ApiErrorName = keyof typeof API_ERRORS;

const BRAND = Symbol.for('forklens.ApiError');

/** The error class of the service. Clients get only these errors; any other error becomes `internal`. */
export class ApiError extends Error {
  /** Each bundle has a copy of this class, and an error may be thrown in one and handled in another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== ApiError) return super[Symbol.hasInstance](value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  override readonly name = 'ApiError';
  /** Seconds to wait before repeating the request. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly kind: ApiErrorName,
    message: string,
    options: ErrorOptions & { retryAfter?: number } = {},
  ) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }

  get code(): number {
    return API_ERRORS[this.kind].code;
  }

  get status(): number {
    return API_ERRORS[this.kind].status;
  }
}

/** The error for the `code` of an answer; `internal` for an unknown code. */
export function errorOfCode(code: number, message: string): ApiError {
  const kinds = Object.keys(API_ERRORS) as ApiErrorName[];
  return new ApiError(kinds.find((kind) => API_ERRORS[kind].code === code) ?? 'internal', message);
}

const SHOWN_CHARACTERS = 80;

/** A received value for a message: JSON, shortened. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** @param accepted the accepted values, as a noun phrase: `a hex string or "safe"` */
export function invalidField(field: string, value: unknown, accepted: string): ApiError {
  return new ApiError('invalidField', `${field} is ${shown(value)}; accepted: ${accepted}`);
}

/** Like `invalidField`, for a secret value. */
export const invalidSecret = (field: string, accepted: string): ApiError =>
  new ApiError('invalidField', `${field} is a hidden value; accepted: ${accepted}`);

/** For system errors caused by a full disk, an exhausted disk quota or a full table of open files; undefined for any other error. */
export function systemLimit(error: unknown): ApiError | undefined {
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const text = 'there is no space left for the data of the service';
    return new ApiError('storageFull', text, { cause: error });
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    const text = 'the service has reached the limit of open files of the system; try again later';
    return new ApiError('outOfFiles', text, { cause: error });
  }
  return undefined;
}

export const projectNotFound = (id: string): ApiError =>
  new ApiError('projectNotFound', `project ${shown(id)} does not exist`);

export const forkNotFound = (id: string): ApiError =>
  new ApiError('forkNotFound', `fork ${shown(id)} does not exist`);

/** A fork's engine ended during a change, and it is unknown whether the change was made. */
export const changeUnanswered = (options: ErrorOptions): ApiError =>
  new ApiError(
    'engineUnavailable',
    "the fork's engine ended before it answered; check whether the change was made, then try again",
    options,
  );

/** What was under way in the engine of a fork, or in its journal, is over; the next request starts them again. */
export const engineEnded = (options?: ErrorOptions): ApiError =>
  new ApiError('engineUnavailable', "the fork's engine ended; try again", options);

/** @param known accepted names: the configured slugs, and other names of chains in the context */
export const chainNotFound = (name: string, known: readonly string[]): ApiError => {
  const hint = name === 'sandbox' ? ' (start the service with --sandbox)' : '';
  return new ApiError(
    'chainNotFound',
    `chain ${shown(name)} is not configured${hint}; accepted: ${known.join(', ')}`,
  );
};

export const transactionNotFound = (hash: string, chain: string): ApiError =>
  new ApiError('transactionNotFound', `transaction ${hash} is not known on ${chain}`);
