/** The extension in links to the editor: publisher and name of the manifest. */
export const EXTENSION_ID = 'forklens.forklens';
