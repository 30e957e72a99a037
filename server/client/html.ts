/** Texts in the language of the reader. */
export interface Translations {
  /** BCP 47, as `vscode.env.language`. */
  language: string;
  /** By the English texts, in the format of `l10n/bundle.l10n.json`. */
  texts: Readonly<Record<string, string>>;
}

/** As the value of an attribute in double quotes. */
export function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

/** JSON that a script of the document reads, and that is not run. In JSON no `<` is needed as such. */
export function jsonScript(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`;
}

/** Start of a document, by the language of its texts: English, where there are no translations. */
export function htmlStart(translations: Translations | undefined): string {
  return `<!DOCTYPE html>\n<html lang="${attribute(translations?.language ?? 'en')}">`;
}

/** Where the inspector looks for its translations before it shows anything; empty without them. */
export function translationsScript(translations: Translations | undefined): string {
  return translations ? jsonScript('translations', JSON.stringify(translations.texts)) : '';
}
