/** First words of a document of decoded data. Its actions recognize it by them. Not translated: documents are saved and sent. */
export const DATA_MARK = 'Forklens: decoded data';

export const isDataDocument = (firstLine: string): boolean =>
  firstLine.startsWith(`// ${DATA_MARK}`);
