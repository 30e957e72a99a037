import type { RecordingNames } from '../../../server/api/recording-names';
import type { Variable } from '../../../server/api/recording';
import { shortHex } from '../../../server/client/format';

/** Characters of a name that are shown; longer ones lose their middle. */
const LONGEST_NAME = 32;
/** In the name of a call, where values are cut. */
const LONGEST_ARGUMENT = 24;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const ADDRESSES = /\b0x[0-9a-f]{40}\b/gi;

/** Names of addresses, as the inspector shows them. */
export class AddressNames {
  readonly #labels: ReadonlyMap<string, string>;
  readonly #own: ReadonlySet<string>;

  constructor({ labels, userLabels }: RecordingNames = { labels: {}, userLabels: [] }) {
    this.#labels = new Map(Object.entries(labels));
    this.#own = new Set(userLabels);
  }

  /** The name that the user gave; undefined for none. */
  given(address: string): string | undefined {
    return this.#own.has(address) ? this.#labels.get(address) : undefined;
  }

  /** The name of an address, else its ends, such as `0x1234…abcd`. */
  short(address: string): string {
    const name = this.#labels.get(address.toLowerCase());
    return name === undefined ? shortHex(address) : shortName(name);
  }

  /**
   * The value of a variable with names for its addresses, such as `Vault (0x1234…abcd)`.
   * @param isWhole whether addresses keep all digits
   */
  valueOf({ type, value }: Pick<Variable, 'type' | 'value'>, isWhole = false): string {
    if (isText(type)) return value;
    const name = ADDRESS.test(value) ? this.#labels.get(value.toLowerCase()) : undefined;
    if (name !== undefined) return `${shortName(name)} (${isWhole ? value : shortHex(value)})`;
    return this.#inText(value);
  }

  /** The value of an argument in the name of a call: of a named address its name alone. */
  inCall({ type, value }: Pick<Variable, 'type' | 'value'>): string {
    if (isText(type)) return value;
    const name = ADDRESS.test(value) ? this.#labels.get(value.toLowerCase()) : undefined;
    return name === undefined ? this.#inText(value) : shortName(name, LONGEST_ARGUMENT);
  }

  #inText(value: string): string {
    return value.replace(ADDRESSES, (address) => {
      const name = this.#labels.get(address.toLowerCase());
      return name === undefined ? address : shortName(name);
    });
  }
}

/** Whether a value may look like an address without being one. */
const isText = (type: string): boolean => type === 'string' || /^bytes\d*$/.test(type);

/** A name of bounded length, with its ends. */
export function shortName(name: string, longest = LONGEST_NAME): string {
  const characters = Array.from(name);
  if (characters.length <= longest) return name;
  const half = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
