import express, { type Request, type RequestHandler } from 'express';
import { ApiError, invalidField, shown } from '../api/errors';
import { LIMITS } from '../api/limits';
import { isTooDeep } from '../evm/forms/json-depth';
import type { LocalResponse } from './context';

/** Reads a body as text, so that its nesting can be checked before it is parsed. */
const textParser: RequestHandler = express.text({ limit: LIMITS.restBody, type: () => true });

/** RFC 9112 §6: a request has a body if one of these headers is present. */
export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Members of the JSON body. They may be at its top level or inside `data`; an empty body has none.
 * @throws ApiError `unsupportedMediaType`, `malformedJson`, `invalidField`, and what the body parser throws
 */
export async function readFields(
  request: Request,
  response: LocalResponse,
): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  checkContentType(request);
  await new Promise<void>((resolve, reject) => {
    textParser(request, response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
  const body = parseBody(typeof request.body === 'string' ? request.body : '');
  if (!isObject(body)) throw invalidField('body', body, 'a JSON object');
  const { data, ...fields } = body;
  // In a simulation, `data` is a field.
  return isObject(data) ? { ...fields, ...data } : body;
}

/** RFC 8259 §11: JSON is UTF-8, whatever the `charset` parameter is. */
function checkContentType(request: Request): void {
  const header = request.get('Content-Type');
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1])
    .find(Boolean);
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  if (type?.trim() === 'application/json' && isUtf8) return;
  throw new ApiError(
    'unsupportedMediaType',
    `the header Content-Type is ${shown(header)}; accepted for a body: application/json`,
  );
}

function parseBody(text: string): unknown {
  if (text.trim() === '') return {};
  if (isTooDeep(text)) {
    throw new ApiError(
      'invalidField',
      `the body is nested deeper than ${LIMITS.jsonDepth} levels; accepted: up to ${LIMITS.jsonDepth}`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError('malformedJson', `the body is not JSON: ${(error as Error).message}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
