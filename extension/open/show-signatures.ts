import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toEventSelector, toFunctionSelector } from 'viem';
import type { Decoding } from '../../server/api/decode';
import { invalidField } from '../../server/api/errors';
import type { Hex } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import { parseSignature } from '../../server/client/abi-signature';
import { emptyValue } from '../decoded-data/encode';
import { openDraft } from '../decoded-data/show-data';
import type { ApiClient } from '../model/api-client';
import { copyText } from '../ui/clipboard';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';

const KINDS: Record<Decoding['kind'], string> = {
  call: l10n.t('function'),
  error: l10n.t('error'),
  event: l10n.t('event'),
};

/** Lists the known signatures of a selector or of an event's topic, and copies the one that the user picks. */
export async function showSignatures(client: ApiClient, data: Hex): Promise<void> {
  const { decodings } = await withProgress(
    l10n.t('Looking for signatures of {0}…', shortHex(data)),
    (signal) => client.call('decodeData', { params: {}, query: {}, body: { data } }, { signal }),
  );
  const isTopic = data.length > 10;
  const wanted = decodings.filter(({ kind }) => (kind === 'event') === isTopic);
  if (wanted.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('No signature of {0} is known.', shortHex(data)),
    );
    return;
  }
  const { value } = await pick({
    title: l10n.t('Signatures of {0}', shortHex(data)),
    placeholder: l10n.t('Signature to copy'),
    items: Promise.resolve(
      wanted.map(({ kind, signature, declaration, source }) => ({
        label: signature,
        description: `${KINDS[kind]} · ${source}`,
        detail: declaration,
        value: signature,
      })),
    ),
  });
  await copyText(value, value);
}

/** Offers what follows from a signature: its selector or topic, and a document to fill in. @throws ApiError `invalidField` */
export async function showSignature(signature: string): Promise<void> {
  const item = parseSignature(signature, 'function');
  if (item === undefined) {
    const accepted = l10n.t('a signature such as transfer(address to, uint256 amount)');
    throw invalidField('signature', signature, accepted);
  }
  const types = `${item.name}(${signatureTypes(item.inputs)})`;
  const isNamed = /^\s*(function|error|event)\s/.test(signature);
  const topic = toEventSelector(`event ${types}`);
  const selector = toFunctionSelector(`function ${types}`);
  const draft = {
    label: l10n.t('$(edit) Fill in the arguments, and encode'),
    description: types,
    value: () => openDraft(signature, item.inputs.map(emptyValue)),
  };
  const copy = (label: string, text: Hex) => ({
    label,
    description: text,
    value: () => copyText(text, shortHex(text)),
  });
  const { value } = await pick<() => Promise<void>>({
    title: types,
    placeholder: l10n.t('What to do with it'),
    items: Promise.resolve([
      ...(item.type === 'event' ? [] : [draft, copy(l10n.t('$(copy) Copy selector'), selector)]),
      ...(item.type === 'event' || !isNamed
        ? [copy(l10n.t('$(copy) Copy topic of the event'), topic)]
        : []),
    ]),
  });
  await value();
}

/** Canonical types, as selectors are computed from. */
const signatureTypes = (inputs: readonly Parameter[]): string => inputs.map(typeOf).join(',');

interface Parameter {
  readonly type: string;
  readonly components?: readonly Parameter[];
}

const typeOf = ({ type, components = [] }: Parameter): string =>
  type.startsWith('tuple') ? `(${signatureTypes(components)})${type.slice('tuple'.length)}` : type;
