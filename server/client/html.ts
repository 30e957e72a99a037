import { escapedJson } from '../api/visible-text';

/** Texts in the reader's language. */
export interface Translations {
  /** BCP 47, in the notation of `vscode.env.language`. */
  language: string;
  /** Keyed by the English texts, in the format of `extension/l10n/bundle.l10n.json`. */
  texts: Readonly<Record<string, string>>;
}

/** Escapes a text for an attribute in double quotes. */
export function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

/** A text of a stranger, made inert for a document. */
export const htmlText = (text: string): string => attribute(text).replace(/>/g, '&gt;');

/**
 * A JSON block that a script of the document reads. It is not executed. Valid JSON never needs an unescaped `<`, nor characters that change
 * how a text editor shows the file.
 */
export function jsonScript(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${escapedJson(json).replaceAll('<', '\\u003c')}</script>`;
}

/** Start of a document, with the language of its texts. Default: English. */
export function htmlStart(translations: Translations | undefined): string {
  return `<!DOCTYPE html>\n<html lang="${attribute(translations?.language ?? 'en')}">`;
}

/** The JSON block with the inspector's translations, which it reads before it renders; empty without translations. */
export function translationsScript(translations: Translations | undefined): string {
  return translations ? jsonScript('translations', JSON.stringify(translations.texts)) : '';
}
