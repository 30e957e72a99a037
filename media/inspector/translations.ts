import * as l10n from '@vscode/l10n';

/** Id of the document's translations, if any: JSON in a script element that is not executed. */
const TRANSLATIONS_ID = 'translations';

/**
 * Loads the document's translations; without them texts are English. Lazy chunks share modules that run before this function, so texts
 * must be created when they are shown, never as module constants.
 */
export function translate(): void {
  const contents = document.getElementById(TRANSLATIONS_ID)?.textContent;
  if (contents !== undefined) l10n.config({ contents });
}
