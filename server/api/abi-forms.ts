/** The forms in which an ABI is accepted, for messages. */
export const ABI_FORMS =
  'a JSON ABI: a list of its items, or of declarations such as "function f(uint256)"; also as text, in an artifact {abi: […]}, or in the answer of Etherscan {status, message, result}';

/** What a declaration declares. */
const DECLARED = /^\s*(function|event|error|constructor|fallback|receive)\b/;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A body that holds an ABI in one of the accepted forms, as an artifact with a list of items. Other values stay as they are, and are
 * refused later.
 */
export function asArtifact(body: unknown): unknown {
  if (typeof body === 'string' || Array.isArray(body)) return { abi: itemsOf(body) };
  if (!isObject(body)) return body;
  if (body['abi'] === undefined && 'status' in body && 'result' in body) {
    const { status, result } = body;
    // `getsourcecode` answers a list of contracts, `getabi` a text. The text of a failure says why.
    const [first] = Array.isArray(result) ? (result as unknown[]) : [];
    if (isObject(first) && typeof first['ABI'] === 'string') {
      return { contractName: first['ContractName'], abi: itemsOf(first['ABI']) };
    }
    return { abi: String(status) === '1' ? itemsOf(result) : result };
  }
  return 'abi' in body ? { ...body, abi: itemsOf(body['abi']) } : body;
}

/** JSON text, declarations one a line, an artifact, or a list. */
function itemsOf(abi: unknown): unknown {
  if (isObject(abi) && Array.isArray(abi['abi'])) return itemsOf(abi['abi']);
  if (typeof abi !== 'string') return Array.isArray(abi) ? abi.map(itemOf) : abi;
  let json: unknown;
  try {
    json = JSON.parse(abi);
  } catch {
    const lines = abi.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line));
    return lines.length > 0 && lines.every((line) => DECLARED.test(line)) ? lines.map(itemOf) : abi;
  }
  return typeof json === 'string' ? json : itemsOf(json);
}

/** A declaration as an item; the service parses it. */
function itemOf(item: unknown): unknown {
  if (typeof item !== 'string') return item;
  const type = DECLARED.exec(item)?.[1];
  return type === undefined ? item : { type, declaration: item.trim().replace(/\s*;$/, '') };
}
