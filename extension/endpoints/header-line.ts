import { endpointHeadersSchema } from '../../server/api/config';

type Headers = Readonly<Record<string, string>>;

/**
 * Reads a header as users write it: `Authorization: Bearer …`.
 * @returns the headers with this one, which replaces one with the same name in any case; no headers for an empty line; undefined if the line
 * is no header that an endpoint may have
 */
export function withHeaderLine(headers: Headers, line: string): Headers | undefined {
  if (line.trim() === '') return {};
  const [, name = '', value = ''] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
  const others = Object.entries(headers).filter(
    ([other]) => other.toLowerCase() !== name.toLowerCase(),
  );
  const read = endpointHeadersSchema.safeParse(Object.fromEntries([...others, [name, value]]));
  return read.success ? read.data : undefined;
}
