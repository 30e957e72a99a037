import { AbiCoder, concat, id, isHexString, keccak256 } from 'ethers';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { fieldsOf, type Fields } from './fields';
import { isTooDeep } from './json-depth';
import { invalidParams, RpcError } from './json-rpc';

interface Field {
  name: string;
  type: string;
}

const DOMAIN = 'EIP712Domain';
/** Fields of the domain in EIP-712's order. */
const DOMAIN_FIELDS: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/**
 * The hash of typed data that is signed (EIP-712).
 * @param data `{ types, primaryType, domain, message }`, or the same as JSON text
 * @throws RpcError -32602 if the value is not typed data, or does not match its types
 */
export function typedDataHash(data: unknown): string {
  const given = fieldsOf('the typed data', typeof data === 'string' ? parsed(data) : data);
  const { length } = typeof data === 'string' ? data : JSON.stringify(data);
  if (length > LIMITS.signedData) {
    throw invalidParams('the length of the typed data', length, `up to ${LIMITS.signedData}`);
  }
  const types = typesOf(given['types']);
  const domain = fieldsOf('domain', given['domain'] ?? {});
  const { primaryType } = given;
  // A domain without a type of its own has the standard fields that it contains.
  if (!types.has(DOMAIN)) {
    const named = DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name));
    types.set(DOMAIN, named);
  }
  if (typeof primaryType !== 'string' || !types.has(primaryType)) {
    throw invalidParams('primaryType', primaryType, [...types.keys()].join(', '));
  }
  const encoder = new Encoder(types);
  const parts = ['0x1901', encoder.hashStruct(DOMAIN, domain, 'domain')];
  if (primaryType !== DOMAIN) {
    parts.push(encoder.hashStruct(primaryType, given['message'], 'message'));
  }
  return keccak256(concat(parts));
}

/** Hashes values by their types; errors contain the path of the value. */
class Encoder {
  readonly #typeHashes = new Map<string, string>();

  constructor(private readonly types: ReadonlyMap<string, readonly Field[]>) {}

  hashStruct(name: string, value: unknown, path: string): string {
    const members = fieldsOf(path, value);
    const parts = (this.types.get(name) ?? []).map((field) => {
      const at = `${path}.${field.name}`;
      const member = Object.hasOwn(members, field.name) ? members[field.name] : undefined;
      return this.#encode(field.type, member, at);
    });
    return keccak256(concat([this.#typeHash(name), ...parts]));
  }

  /** @returns 32 bytes */
  #encode(type: string, value: unknown, path: string): string {
    const array = /^(.*)\[(\d*)\]$/s.exec(type);
    if (array) {
      const [, base = '', count = ''] = array;
      if (!Array.isArray(value) || (count !== '' && value.length !== Number(count))) {
        throw invalidParams(path, value, `${type}: a list`);
      }
      const items = value.map((item, i) => this.#encode(base, item, `${path}[${i}]`));
      return keccak256(concat(items));
    }
    if (this.types.has(type)) return this.hashStruct(type, value, path);
    if (type === 'string' && typeof value === 'string') return id(value);
    if (type === 'bytes' && isHexString(value, true)) return keccak256(value);
    return plainWord(type, value, path);
  }

  /** Hash of a type and the types that it refers to, in the order of their names. */
  #typeHash(name: string): string {
    const known = this.#typeHashes.get(name);
    if (known !== undefined) return known;
    const found = new Set([name]);
    for (const one of found) {
      for (const { type } of this.types.get(one) ?? []) {
        const base = type.replace(/\[.*$/s, '');
        if (this.types.has(base)) found.add(base);
      }
    }
    const others = [...found].slice(1).sort();
    const text = [name, ...others].map((one) => this.#signature(one)).join('');
    const hash = id(text);
    this.#typeHashes.set(name, hash);
    return hash;
  }

  #signature(name: string): string {
    const fields = (this.types.get(name) ?? []).map((field) => `${field.type} ${field.name}`);
    return `${name}(${fields.join()})`;
  }
}

/** Encodes a one-word type as in the contract ABI. */
function plainWord(type: string, value: unknown, path: string): string {
  const isPlain = /^(u?int\d*|address|bool|bytes\d+)$/.test(type);
  const isValue = value !== null && value !== undefined && typeof value !== 'object';
  if (isPlain && isValue && (type === 'bool') === (typeof value === 'boolean')) {
    try {
      return AbiCoder.defaultAbiCoder().encode([type], [value]);
    } catch {
      // another form, or out of range
    }
  }
  throw invalidParams(path, value, `a value of type ${type.slice(0, 40)}`);
}

function typesOf(value: unknown): Map<string, readonly Field[]> {
  const entries = Object.entries(fieldsOf('types', value));
  const { typedDataTypes: limit } = LIMITS;
  if (entries.length > limit) {
    throw invalidParams('the number of types', entries.length, `up to ${limit}`);
  }
  return new Map(
    entries.map(([name, fields]) => {
      if (Array.isArray(fields) && fields.every(isField)) return [name, fields];
      throw invalidParams(`types.${name.slice(0, 40)}`, fields, 'a list of { name, type }');
    }),
  );
}

const isField = (field: unknown): field is Field => {
  const { name, type } = (field ?? {}) as Fields;
  return typeof name === 'string' && typeof type === 'string';
};

function parsed(text: string): unknown {
  if (isTooDeep(text)) {
    throw new RpcError(
      RPC_CODES.invalidParams,
      `the typed data is nested deeper than ${LIMITS.jsonDepth} levels`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RpcError(
      RPC_CODES.invalidParams,
      'the typed data is not JSON; accepted: an object, or its JSON text',
    );
  }
}
