import * as l10n from '@vscode/l10n';
import { shown } from '../../api/errors';
import { BookError } from './book';

/** What a cell of lines `field: value` may contain. */
interface FieldNames<Name extends string> {
  /** Field of a line without a name. */
  main: Name;
  names: readonly Name[];
  /** Those that may occur several times. */
  repeatable?: readonly Name[];
}

/** The fields of a cell, without comments: a line each. */
export class Fields<Name extends string> {
  readonly #values = new Map<Name, string[]>();

  /** @throws BookError for unknown and repeated fields */
  constructor(text: string, { main, names, repeatable = [] }: FieldNames<Name>) {
    for (const line of text.split('\n')) {
      const content = line.replace(/(^|\s)#.*$/, '').trim();
      if (content === '') continue;
      const [, named, value] = /^([a-z]+):\s*(.*)$/.exec(content) ?? [];
      const field = names.find((name) => name === (named ?? main));
      if (field === undefined) {
        throw new BookError(
          l10n.t(
            'The cell has the unknown field "{0}"; it takes {1}.',
            named ?? '',
            names.join(', '),
          ),
        );
      }
      const known = this.#values.get(field);
      if (known && !repeatable.includes(field)) {
        throw new BookError(l10n.t('The cell names "{0}" twice.', field));
      }
      if (known) known.push(value ?? content);
      else this.#values.set(field, [value ?? content]);
    }
  }

  one(field: Name): string | undefined {
    return this.#values.get(field)?.[0];
  }

  all(field: Name): readonly string[] {
    return this.#values.get(field) ?? [];
  }

  /** Slug of a chain or id of a fork. @throws BookError */
  chain(field: Name): string | undefined {
    const chain = this.one(field);
    if (chain === undefined || /^[\w.-]{1,64}$/.test(chain)) return chain;
    throw new BookError(
      l10n.t('chain: got {0}, takes the name of a chain or the id of a fork.', shown(chain)),
    );
  }
}
