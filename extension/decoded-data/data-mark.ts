/** First words of a document of decoded data, by which its actions find it. Not translated: documents are saved and sent. */
export const DATA_MARK = 'Forklens: decoded data';

export const isDataDocument = (firstLine: string): boolean =>
  firstLine.startsWith(`// ${DATA_MARK}`);
