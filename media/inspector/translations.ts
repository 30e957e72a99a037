import * as l10n from '@vscode/l10n';

/** Where the document holds translations, if it has any: as JSON in a script that is not run. */
const TRANSLATIONS_ID = 'translations';

/**
 * Takes up the translations that the document brings along; without them texts are English. Code loaded on demand shares
 * modules that run before this does, so texts are made when they are shown, never as constants of a module.
 */
export function translate(): void {
  const contents = document.getElementById(TRANSLATIONS_ID)?.textContent;
  if (contents !== undefined) l10n.config({ contents });
}
